
# Names of weight sets and runs, beside the options above.
_spar_names() {
    _spar "$@"
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command="" of="" word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
            -*) ;;
            *) command=$word; break ;;
        esac
    done
    [[ $current == -* ]] && return
    case $before in
        --weights | --start | --from) of=players ;;
        --json | --json-events | --verbose | -v | [!-]*)
            case $command in
                match | tournament) of=players ;;
                weights) [[ $before == weights ]] || of=players ;;
                resume | report | export | watch | runs | show) of=runs ;;
            esac ;;
    esac
    [[ $of ]] || return
    local IFS=$'\n'
    COMPREPLY+=($(compgen -W "$(spar candidates "$of" 2>/dev/null)" -- "$current") $(compgen -f -- "$current"))
}
complete -F _spar_names -o filenames -o bashdefault -o default spar

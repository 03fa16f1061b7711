
# Names of weight sets and runs, beside the options above.
_spar_names() {
    _spar "$@"
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command="" of=""
    local -a folder=()
    local -i at
    for (( at = 1; at < COMP_CWORD; at++ )); do
        case ${COMP_WORDS[at]} in
            --runs)
                # Bash makes a word of the sign in `--runs=DIR`.
                [[ ${COMP_WORDS[at+1]} == = ]] && at+=1
                at+=1
                folder=(--runs "${COMP_WORDS[at]}") ;;
            --color)
                [[ ${COMP_WORDS[at+1]} == = ]] && at+=1
                at+=1 ;;
            -*) ;;
            *) [[ $command ]] || command=${COMP_WORDS[at]} ;;
        esac
    done
    [[ $current == -* ]] && return
    case $before in
        --weights | --start | --from) of=players ;;
        --json | --json-events | --verbose | -v | [!-]*)
            case $command in
                match | tournament) of=players ;;
                weights) [[ $before == weights ]] || of=players ;;
                runs) [[ $before == runs ]] || of=runs ;;
                resume | report | export | watch | show) of=runs ;;
            esac ;;
    esac
    [[ $of ]] || return
    local IFS=$'\n'
    COMPREPLY+=($(compgen -W "$(spar "${folder[@]}" candidates "$of" 2>/dev/null)" -- "$current") $(compgen -f -- "$current"))
}
complete -F _spar_names -o filenames -o bashdefault -o default spar

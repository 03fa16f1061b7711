
# Names of weight sets and runs, beside the options above.
_spar_names() {
    local of="" result
    _spar "$@"
    result=$?
    case "${words[2]}" in
        match|tournament|weights) of=players ;;
        resume|report|export|watch|runs|show) of=runs ;;
    esac
    case "${words[CURRENT-1]}" in
        --weights|--start|--from) of=players ;;
    esac
    [[ -n "$of" && "${words[CURRENT]}" != -* ]] || return $result
    compadd -- ${(f)"$(spar candidates $of 2>/dev/null)"}
}
[ "$funcstack[1]" = "_spar" ] || compdef _spar_names spar

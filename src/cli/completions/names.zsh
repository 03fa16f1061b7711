# Names of weight sets and runs, beside the options above.
_spar() {
    local -a given=("${words[@]}") folder
    local -i at=$CURRENT place=2 result
    local current="${words[CURRENT]}" previous="${words[CURRENT-1]}" command="" of=""
    while (( place < at )); do
        case "${given[place]}" in
            --runs) (( place += 1 )); folder=(--runs "${(Q)given[place]}") ;;
            --runs=*) folder=("${(Q)given[place]}") ;;
            --color) (( place += 1 )) ;;
            -*) ;;
            *) [[ -n "$command" ]] || command="${given[place]}" ;;
        esac
        (( place += 1 ))
    done
    _spar_options "$@"
    result=$?
    case "$previous" in
        --weights|--start|--from) of=players ;;
        --json|--json-events|--verbose|-v|[^-]*)
            case "$command" in
                match|tournament) of=players ;;
                weights) [[ "$previous" == weights ]] || of=players ;;
                runs) [[ "$previous" == runs ]] || of=runs ;;
                resume|report|export|watch|show) of=runs ;;
            esac ;;
    esac
    [[ -n "$of" && "$current" != -* ]] || return $result
    # It quotes what it inserts.
    compadd -- ${(0)"$(spar $folder candidates --null $of 2>/dev/null)"} && result=0
    return $result
}

if [ "$funcstack[1]" = "_spar" ]; then
    _spar "$@"
else
    compdef _spar spar
fi


# Names of weight sets and runs, beside the options above. Anybody may have chosen a name, so none is expanded, and
# each is completed as a quoted word.
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
    # Bash itself completes files in words that are quoted or have a colon.
    [[ $current == -* || $current == *[\'\":=]* || $before == : ]] && return
    if [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
        [[ $before == --* ]] || return
    fi
    case $before in
        --weights | --start | --from)
            of=players
            COMPREPLY=() ;;
        --json | --json-events | --verbose | -v | [!-]*)
            case $command in
                match | tournament) of=players ;;
                weights) [[ $before == weights ]] || of=players ;;
                runs) [[ $before == runs ]] || of=runs ;;
                resume | report | export | watch | show) of=runs ;;
            esac ;;
    esac
    [[ $of ]] || return
    local word="" rest=$current candidate
    while [[ $rest == *\\* ]]; do
        word+=${rest%%\\*} rest=${rest#*\\}
        word+=${rest:0:1} rest=${rest:1}
    done
    word+=$rest
    while IFS= read -r -d "" candidate; do
        [[ $candidate == "$word"* || ${candidate#./} == "$word"* ]] || continue
        printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done < <(
        spar "${folder[@]}" candidates --null "$of" 2>/dev/null
        set +f
        shopt -s nullglob
        shopt -u failglob
        for candidate in "$word"*; do
            # Neither an option nor an engine.
            [[ $candidate == -* || $candidate == cmd:* ]] && candidate=./$candidate
            [[ -d $candidate ]] && candidate+=/
            printf '%s\0' "$candidate"
        done
    )
    # The words are quoted already.
    compopt +o filenames 2>/dev/null
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}
complete -F _spar_names -o filenames -o bashdefault -o default spar


# Names of weight sets and runs, beside the options above.
function __spar_candidates
    set -l words (commandline -opc)
    set -l folder
    for at in (seq 2 (count $words))
        set -l next (math $at + 1)
        switch $words[$at]
            case --runs
                set -q words[$next]; and set folder --runs $words[$next]
            case '--runs=*'
                set folder $words[$at]
        end
    end
    spar $folder candidates --null $argv 2>/dev/null | string split0
end
complete -c spar -n '__fish_seen_subcommand_from match tournament' -a '(__spar_candidates players)'
complete -c spar -n '__fish_seen_subcommand_from weights; and __fish_seen_subcommand_from show check diff list' -a '(__spar_candidates players)'
complete -c spar -n '__fish_seen_subcommand_from resume report export watch show' -a '(__spar_candidates runs)'
complete -c spar -n '__fish_seen_subcommand_from runs; and __fish_seen_subcommand_from compare rm' -a '(__spar_candidates runs)'
for option in weights start from
    complete -c spar -l $option -x -a '(__spar_candidates players)'
end


# Names of weight sets and runs, beside the options above.
complete -c spar -n '__fish_seen_subcommand_from match tournament weights' -a '(spar candidates players 2>/dev/null)'
complete -c spar -n '__fish_seen_subcommand_from resume report export watch runs show' -a '(spar candidates runs 2>/dev/null)'
for option in weights start from
    complete -c spar -l $option -x -a '(spar candidates players 2>/dev/null)'
end

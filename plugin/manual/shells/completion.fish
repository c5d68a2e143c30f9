# Completion of hcloud-modelarts in fish: the program says what fits.
function __hcloud_modelarts
    set -l words (commandline -opc)
    set -e words[1]
    set -l word (commandline -ct)
    set -l found (hcloud-modelarts __complete -- $words "$word" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c hcloud-modelarts -f -a '(__hcloud_modelarts)'

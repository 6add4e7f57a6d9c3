# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of the schedprof command for fish. The program itself knows what may follow:
# tools/cli/complete.c says what it prints.

function __schedprof_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l word (commandline --current-token --cut-at-cursor)
    set -l program $words[1]
    set -e words[1]
    for line in ($program --complete $words "$word" 2>/dev/null)
        set -l asked (string split --max 1 ' ' -- $line)
        set -l before "$asked[2]"
        switch $line
            case ':files *' ':directories *'
                set -l rest (string sub --start (math (string length -- "$before") + 1) -- "$word")
                # Of nothing but files, as of the arguments of a command that is none.
                for file in (complete --do-complete "'' $(string escape -- $rest)")
                    set -l name (string split \t -- $file)[1]
                    if test $asked[1] = :files; or string match --quiet '*/' -- $name
                        echo -- $before$file
                    end
                end
            case ':command *'
                set -l first (math $before + 1)
                set -l rest
                if test $first -le (count $words)
                    set rest (string escape -- $words[$first..])
                end
                complete --do-complete "$rest $word"
            case '*'
                echo -- $line
        end
    end
end

complete --command schedprof --no-files --keep-order --arguments '(__schedprof_complete)'

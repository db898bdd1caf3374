package dev.holdfast.operator.cli.completion;

import picocli.AutoComplete;
import picocli.CommandLine;

/** The shells that have a script, which completes commands, options and names of objects. */
public enum Shell {
    BASH {
        @Override
        public String script(String program, CommandLine commands) {
            // The program itself knows the names of objects.
            return AutoComplete.bash(program, commands) + """

                function _complete_PROGRAM_names() {
                  COMPREPLY=()
                  _complete_PROGRAM
                  [[ ${#COMPREPLY[@]} -eq 0 ]] || return 0
                  local word line=${COMP_LINE:0:$COMP_POINT} words
                  # Bash divides words at = and :, which names of clusters have.
                  read -ra words <<< "$line"
                  [[ $line != *[[:space:]] ]] || words+=("")
                  while IFS= read -r word; do
                    [[ $word == :* ]] || COMPREPLY+=("$word")
                  done < <("${COMP_WORDS[0]}" __complete "${words[@]:1}" 2> /dev/null)
                }
                complete -F _complete_PROGRAM_names -o default PROGRAM
                """.replace("PROGRAM", program);
        }
    },
    ZSH {
        @Override
        public String script(String program, CommandLine commands) {
            return """
                #compdef PROGRAM

                _PROGRAM() {
                  local -a found
                  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
                  # The value alone of --option=value is completed.
                  compset -P '--*='
                  [[ ${#found} -lt 2 ]] || compadd -- "${(@)found[1,-2]}"
                  [[ ${found[-1]} == :4 ]] || _files
                }

                # Zsh reads this file as the function itself if the file is in its fpath.
                if [[ ${funcstack[1]} == _PROGRAM ]]; then
                  _PROGRAM
                else
                  (( ${+functions[compdef]} )) || { autoload -U compinit && compinit }
                  compdef _PROGRAM PROGRAM
                fi
                """.replace("PROGRAM", program);
        }
    },
    FISH {
        @Override
        public String script(String program, CommandLine commands) {
            return FishCompletion.of(program, commands);
        }
    };

    /** {@return the script for a program with these commands} */
    public abstract String script(String program, CommandLine commands);
}

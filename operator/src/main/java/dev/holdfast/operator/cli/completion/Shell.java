package dev.holdfast.operator.cli.completion;

import picocli.AutoComplete;
import picocli.CommandLine;

/** The shells that have a script, which completes commands and options. */
public enum Shell {
    BASH {
        @Override
        public String script(String program, CommandLine commands) {
            return AutoComplete.bash(program, commands);
        }
    },
    ZSH {
        @Override
        public String script(String program, CommandLine commands) {
            // With these lines, zsh reads completions of bash.
            return """
                #compdef %s
                autoload -U +X compinit && compinit
                autoload -U +X bashcompinit && bashcompinit
                """.formatted(program) + BASH.script(program, commands);
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

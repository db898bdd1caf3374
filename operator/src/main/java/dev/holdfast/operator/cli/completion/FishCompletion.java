package dev.holdfast.operator.cli.completion;

import java.util.Arrays;
import java.util.Comparator;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish, which picocli does not write. */
final class FishCompletion {
    private FishCompletion() {}

    /** {@return a script that completes a program's commands and their options, with their descriptions} */
    static String of(String program, CommandLine commands) {
        StringBuilder script = new StringBuilder();
        script.append("""
            function __fish_PROGRAM_complete
              PROGRAM __complete (commandline -opc)[2..-1] (commandline -ct) 2> /dev/null | string match -v ":*"
            end
            """.replace("PROGRAM", program));
        String known = "-a '(__fish_" + program + "_complete)'";
        line(script, program, "not __fish_use_subcommand", known, "");
        commands.getSubcommands().forEach((name, command) -> {
            if (command.getCommandSpec().usageMessage().hidden()) {
                return;
            }
            line(
                    script,
                    program,
                    "__fish_use_subcommand",
                    "-f -a " + name,
                    describe(command.getCommandSpec().usageMessage().description()));
            command.getCommandSpec().options().stream()
                    .sorted(Comparator.comparing(OptionSpec::longestName))
                    .forEach(option -> line(
                            script,
                            program,
                            "__fish_seen_subcommand_from " + name,
                            names(option) + value(option, known),
                            describe(option.description())));
        });
        return script.toString();
    }

    private static void line(StringBuilder script, String program, String condition, String what, String description) {
        script.append("complete -c ")
                .append(program)
                .append(" -n '")
                .append(condition)
                .append("' ")
                .append(what)
                .append(" -d '")
                .append(description)
                .append("'\n");
    }

    /** {@return what fish completes for the value of an option: files by itself, all else as the program knows it} */
    private static String value(OptionSpec option, String known) {
        if (option.arity().max() == 0) {
            return "";
        }
        return TypedWords.takesFile(option) ? " -r" : " -x " + known;
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        Arrays.stream(option.names())
                .forEach(name -> names.append(names.isEmpty() ? "" : " ")
                        .append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1)));
        return names.toString();
    }

    /** {@return the first sentence of a description, as fish quotes it} */
    private static String describe(String... description) {
        String first = description.length == 0 ? "" : description[0];
        int end = first.indexOf(". ");
        return (end < 0 ? first : first.substring(0, end + 1))
                .replace("\\", "\\\\")
                .replace("'", "\\'");
    }
}

package dev.holdfast.operator.cli.options;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Takes several files for one option, as shells write them for {@code -f dumps/*.json}: {@code -f a b} is {@code -f a
 * -f b}. If the command has arguments of its own, only files that exist are taken after the first one, and none that
 * looks like {@code pod/NAME}.
 */
public final class FileArguments implements IParameterConsumer {
    private static final String STANDARD_INPUT = "-";

    private static final Pattern OBJECT = Pattern.compile(
            "(po|pods?|no|nodes?|deploy|deployments?|rs|replicasets?|sts|statefulsets?|ds|daemonsets?|jobs?)/[^/]+");

    /** Made by picocli. */
    public FileArguments() {}

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's own type
    public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
        if (arguments.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "Missing required parameter for option '" + ((OptionSpec) option).longestName() + "' ("
                            + option.paramLabel() + ")");
        }
        List<String> files = new ArrayList<>(option.<List<String>>getValue());
        files.add(arguments.pop());
        while (!arguments.isEmpty() && isFile(arguments.peek(), command)) {
            files.add(arguments.pop());
        }
        option.setValue(files);
    }

    private static boolean isFile(String argument, CommandSpec command) {
        if (argument.equals(STANDARD_INPUT)) {
            return true;
        }
        return !argument.startsWith("-")
                && (command.positionalParameters().isEmpty()
                        || (!OBJECT.matcher(argument).matches() && exists(argument)));
    }

    private static boolean exists(String argument) {
        try {
            return Files.exists(Path.of(argument));
        } catch (InvalidPathException _) {
            return false;
        }
    }
}

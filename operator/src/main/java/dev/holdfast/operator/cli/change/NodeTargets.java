package dev.holdfast.operator.cli.change;

import dev.holdfast.operator.offline.print.SelectorText;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reads the argument of an option that takes nodes: {@code n1}, {@code node/n1}, or {@code -l zone=c}, as kubectl takes
 * them. A selector belongs to the option before it.
 */
public final class NodeTargets implements IParameterConsumer {
    private static final String NODE = "node/";
    private static final Pattern ATTACHED = Pattern.compile("(?:-l=?|--selector=)(.+)");

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's type
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
        List<Change.Target> targets = new ArrayList<>(option.getValue() == null ? List.of() : option.getValue());
        String name = ((OptionSpec) option).longestName();
        if (args.isEmpty()) {
            throw wrong(name, command);
        }
        targets.add(selector(args, name, command)
                .map(selected -> labeled(selected, name, command))
                .orElseGet(() -> named(args.pop(), name, command)));
        option.setValue(targets);
    }

    /** Takes a selector from the arguments; empty if another argument comes first. */
    @SuppressWarnings("JdkObsolete") // picocli's type
    static Optional<String> selector(Stack<String> args, String option, CommandSpec command) {
        String first = args.isEmpty() ? "" : args.peek();
        Matcher attached = ATTACHED.matcher(first);
        if (first.equals("-l") || first.equals("--selector")) {
            args.pop();
            if (args.isEmpty()) {
                throw wrong(option, command);
            }
            return Optional.of(args.pop());
        }
        if (attached.matches()) {
            args.pop();
            return Optional.of(attached.group(1));
        }
        return Optional.empty();
    }

    private static Change.Target labeled(String selector, String option, CommandSpec command) {
        return new Change.Target(
                "with labels " + selector, new Change.Selection.Labeled(matcher(selector, option, command)::matches));
    }

    /** {@return the parsed selector} An empty one would select everything, which is rather a mistake. */
    static LabelMatcher matcher(String selector, String option, CommandSpec command) {
        if (selector.isBlank()) {
            throw new ParameterException(command.commandLine(), option + " -l: the selector is empty");
        }
        return switch (SelectorText.parse(selector)) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) ->
                throw new ParameterException(command.commandLine(), option + " -l: " + why);
        };
    }

    private static Change.Target named(String argument, String option, CommandSpec command) {
        String name = argument.startsWith(NODE) ? argument.substring(NODE.length()) : argument;
        if (name.isEmpty() || name.startsWith("-")) {
            throw wrong(option, command);
        }
        return new Change.Target(name, new Change.Selection.Named(name));
    }

    private static ParameterException wrong(String option, CommandSpec command) {
        return new ParameterException(
                command.commandLine(), option + " takes the name of a node, or -l SELECTOR: " + option + " -l zone=c");
    }
}

package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.print.SelectorText;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.LabelSyntax;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reads the arguments of {@code --label}, which are those of {@code kubectl label}: {@code node/n1 zone=b disk-}, or
 * {@code -l pool=gpu disk-}.
 */
public final class LabelChanges implements IParameterConsumer {
    private static final String NODE = "node/";
    private static final Pattern SET = Pattern.compile("([^=-][^=]*)=(.*)");
    private static final Pattern REMOVE = Pattern.compile("([^=-][^=]*)-");

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's type
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
        List<Change.LabelNodes> changes = new ArrayList<>(option.getValue() == null ? List.of() : option.getValue());
        String target = pop(args, command);
        boolean bySelector = target.equals("-l") || target.equals("--selector");
        String selected = bySelector ? pop(args, command) : target;
        Map<String, Optional<String>> labels = new TreeMap<>();
        while (!args.isEmpty() && take(args.peek(), labels, command)) {
            args.pop();
        }
        if (labels.isEmpty() && !bySelector) {
            name(target, command);
        }
        if (labels.isEmpty()) {
            throw wrong(command);
        }
        changes.add(new Change.LabelNodes(
                bySelector ? "with labels " + selected : name(selected, command),
                bySelector
                        ? new Change.Selection.Labeled(matcher(selected, command)::matches)
                        : new Change.Selection.Named(name(selected, command)),
                labels));
        option.setValue(changes);
    }

    @SuppressWarnings("JdkObsolete") // picocli's type
    private static String pop(Stack<String> args, CommandSpec command) {
        if (args.isEmpty()) {
            throw wrong(command);
        }
        return args.pop();
    }

    /** {@return whether the argument is a label, and was taken} */
    private static boolean take(String argument, Map<String, Optional<String>> labels, CommandSpec command) {
        Matcher set = SET.matcher(argument);
        Matcher remove = REMOVE.matcher(argument);
        if (set.matches()) {
            put(set.group(1), Optional.of(set.group(2)), labels, command);
        } else if (remove.matches()) {
            put(remove.group(1), Optional.empty(), labels, command);
        } else {
            return false;
        }
        return true;
    }

    private static void put(
            String key, Optional<String> value, Map<String, Optional<String>> labels, CommandSpec command) {
        if (!LabelSyntax.isKey(key) || !LabelSyntax.isValue(value.orElse(""))) {
            throw new ParameterException(
                    command.commandLine(),
                    "--label: no label can be " + key
                            + value.map(it -> "=" + it).orElse(""));
        }
        Optional<String> before = labels.put(key, value);
        if (before != null && !before.equals(value)) {
            throw new ParameterException(command.commandLine(), "--label: " + key + " is changed twice");
        }
    }

    private static LabelMatcher matcher(String selector, CommandSpec command) {
        return switch (SelectorText.parse(selector)) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) ->
                throw new ParameterException(command.commandLine(), "--label -l: " + why);
        };
    }

    private static String name(String target, CommandSpec command) {
        if (target.contains(" ")) {
            throw new ParameterException(
                    command.commandLine(),
                    "--label takes several arguments, and '" + target + "' is one: leave out the quotes around it");
        }
        if (!target.startsWith(NODE) || target.length() == NODE.length()) {
            throw wrong(command);
        }
        return target.substring(NODE.length());
    }

    private static ParameterException wrong(CommandSpec command) {
        return new ParameterException(
                command.commandLine(), "--label takes node/NAME or -l SELECTOR, and then labels: node/n1 zone=b disk-");
    }
}

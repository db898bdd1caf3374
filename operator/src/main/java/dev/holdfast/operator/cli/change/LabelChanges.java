package dev.holdfast.operator.cli.change;

import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.selector.LabelSyntax;
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
        Optional<String> selector = NodeTargets.selector(args, "--label", command);
        String target = selector.orElseGet(() -> pop(args, command));
        Map<String, Optional<String>> labels = new TreeMap<>();
        while (!args.isEmpty() && take(args.peek(), labels, command)) {
            args.pop();
        }
        if (labels.isEmpty() && selector.isEmpty()) {
            name(target, command);
        }
        if (labels.isEmpty()) {
            throw wrong(command);
        }
        changes.add(
                selector.isPresent()
                        ? new Change.LabelNodes(
                                "with labels " + target,
                                new Change.Selection.Labeled(NodeTargets.matcher(target, "--label", command)::matches),
                                labels)
                        : new Change.LabelNodes(
                                name(target, command), new Change.Selection.Named(name(target, command)), labels));
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

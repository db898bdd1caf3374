package dev.holdfast.operator.cli.change;

import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.selector.LabelMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import java.util.function.Function;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reads the argument of {@code --delete}: {@code pod/web-1}, or {@code -l app=web}. The values are the changes for a
 * namespace, which is known later.
 */
public final class PodDeletions implements IParameterConsumer {
    private static final String POD = "pod/";

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's type
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
        List<Function<String, Change>> deletions =
                new ArrayList<>(option.getValue() == null ? List.of() : option.getValue());
        Optional<String> selector = NodeTargets.selector(args, "--delete", command);
        deletions.add(selector.isPresent() ? labeled(selector.get(), command) : named(args, command));
        option.setValue(deletions);
    }

    private static Function<String, Change> labeled(String selector, CommandSpec command) {
        LabelMatcher matcher = NodeTargets.matcher(selector, "--delete", command);
        return namespace -> new Change.DeletePods(namespace, selector, matcher::matches);
    }

    @SuppressWarnings("JdkObsolete") // picocli's type
    private static Function<String, Change> named(Stack<String> args, CommandSpec command) {
        String argument = args.isEmpty() ? "" : args.pop();
        if (!argument.startsWith(POD) || argument.length() == POD.length()) {
            throw new ParameterException(
                    command.commandLine(), "'" + argument + "' is not a pod: write pod/NAME, or -l SELECTOR");
        }
        String name = argument.substring(POD.length());
        return namespace -> new Change.DeletePod(new NamespacedName(namespace, name));
    }
}

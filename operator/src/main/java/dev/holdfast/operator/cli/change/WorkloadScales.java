package dev.holdfast.operator.cli.change;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.manifest.SelectedWorkloads;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.selector.LabelMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads the arguments of {@code --scale}: {@code deploy/web=3}, {@code -l app=web 3}, or {@code sts -l app=web 3}. */
public final class WorkloadScales implements IParameterConsumer {
    private static final Pattern NAMED = Pattern.compile("([a-z]+)/([^=]+)=([0-9]{1,6})");
    private static final Pattern REPLICAS = Pattern.compile("[0-9]{1,6}");

    /** The kinds that can be scaled, by the names that kubectl knows. */
    private static final Map<String, String> SCALABLE = Map.of(
            "deploy", "Deployment",
            "deployment", "Deployment",
            "rs", "ReplicaSet",
            "replicaset", "ReplicaSet",
            "sts", "StatefulSet",
            "statefulset", "StatefulSet");

    /** The changes that one option asks for. */
    @FunctionalInterface
    public interface Scaling {
        /**
         * {@return the changes in a cluster}
         *
         * @param namespace that of the workloads
         * @param warn gets what is not scaled, as a sentence
         * @throws DumpException if no workload is selected
         */
        List<Change.Scale> in(Collection<ClusterEvent> cluster, String namespace, Consumer<String> warn)
                throws DumpException;
    }

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's type
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
        List<Scaling> scales = new ArrayList<>(option.getValue() == null ? List.of() : option.getValue());
        String first = args.isEmpty() ? "" : args.peek();
        Optional<String> kind = Optional.ofNullable(SCALABLE.get(first));
        if (kind.isPresent()) {
            args.pop();
        }
        Optional<String> selector = NodeTargets.selector(args, "--scale", command);
        if (selector.isPresent()) {
            scales.add(labeled(kind, selector.get(), args, command));
        } else {
            scales.add(named(kind.isPresent() || args.isEmpty() ? first : args.pop(), command));
        }
        option.setValue(scales);
    }

    @SuppressWarnings("JdkObsolete") // picocli's type
    private static Scaling labeled(Optional<String> kind, String selector, Stack<String> args, CommandSpec command) {
        LabelMatcher matcher = NodeTargets.matcher(selector, "--scale", command);
        String number = args.isEmpty() ? "" : args.pop();
        if (!REPLICAS.matcher(number).matches()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--scale -l " + selector + " takes the number of replicas next, and not '" + number
                            + "': --scale -l " + selector + " 3");
        }
        int replicas = Integer.parseInt(number);
        return (cluster, namespace, warn) ->
                new SelectedWorkloads(kind, namespace, selector, matcher::matches).scaled(cluster, replicas, warn);
    }

    private static Scaling named(String argument, CommandSpec command) {
        Matcher parts = NAMED.matcher(argument);
        String kind = parts.matches() ? SCALABLE.getOrDefault(parts.group(1), "") : "";
        if (kind.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "'" + argument + "' scales nothing: write deploy/NAME=N, rs/NAME=N, sts/NAME=N or -l SELECTOR N");
        }
        String name = parts.group(2);
        int replicas = Integer.parseInt(parts.group(3));
        return (_, namespace, _) -> List.of(new Change.Scale(kind, new NamespacedName(namespace, name), replicas));
    }
}

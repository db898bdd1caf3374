package dev.holdfast.operator.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.manifest.FileChanges;
import dev.holdfast.policies.selector.LabelMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Reads the argument of an option that takes policies: {@code shop/keep}, {@code keep}, or {@code -l team=shop}. */
public final class PolicyTargets implements IParameterConsumer {
    /** The policies that one option names. */
    @FunctionalInterface
    public interface Names {
        /**
         * {@return the names of the policies: {@code NAMESPACE/NAME}, or {@code NAME} of a ClusterPlacementPolicy}
         *
         * @param known the policies as they are written
         * @throws DumpException if a selector selects none
         */
        List<String> in(List<ObjectNode> known) throws DumpException;
    }

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's type
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
        List<Names> policies = new ArrayList<>(option.getValue() == null ? List.of() : option.getValue());
        String name = ((OptionSpec) option).longestName();
        Optional<String> selector = NodeTargets.selector(args, name, command);
        if (selector.isPresent()) {
            LabelMatcher matcher = NodeTargets.matcher(selector.get(), name, command);
            policies.add(known -> FileChanges.policiesWith(selector.get(), matcher::matches, known));
        } else {
            String policy = args.isEmpty() ? "" : args.pop();
            if (policy.isEmpty() || policy.startsWith("-")) {
                throw new ParameterException(
                        command.commandLine(),
                        name + " takes NAMESPACE/NAME of a PlacementPolicy, NAME of a ClusterPlacementPolicy, or -l"
                                + " SELECTOR");
            }
            policies.add(_ -> List.of(policy));
        }
        option.setValue(policies);
    }
}

package dev.holdfast.policies.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.provider.Arguments;

/** Choices and results for the tests of plugins. The pod to place is the one with the name p. */
final class Choices {
    private Choices() {}

    /** {@return the choice among these nodes, of the pod p; without names among all nodes} */
    static Choice choice(ClusterBuilder cluster, String... feasible) {
        return among(cluster, node -> feasible.length == 0 || List.of(feasible).contains(node.name()));
    }

    static Choice among(ClusterBuilder cluster, Predicate<Node> feasible) {
        ReferenceCluster built = cluster.build();
        return new Choice(
                built.pod("p").orElseThrow(),
                built.nodes().stream().filter(feasible).toList(),
                new SharedReads(built));
    }

    static List<Long> numbers(long... numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    static PluginResult scored(List<Long> raw, List<Long> scores) {
        return new PluginResult.Scored(raw, scores);
    }

    static PluginResult skipped() {
        return new PluginResult.Skipped();
    }

    static PluginResult failed(String rule, String why) {
        return new PluginResult.Failed(rule, why);
    }

    static Arguments row(String name, Choice choice, PluginResult expected) {
        return Arguments.argumentSet(name, choice, expected);
    }

    static void check(Function<Choice, PluginResult> plugin, Choice choice, PluginResult expected) {
        assertThat(plugin.apply(choice)).isEqualTo(expected);
    }
}

package dev.holdfast.operator.offline.dump;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Finds values that the API server refuses, so that no cluster has them: the scheduler's rules give them no meaning.
 */
final class RefusedValues {
    private RefusedValues() {}

    /** {@return what is wrong with an object, as a part of a sentence; empty if an API server may have it} */
    static Optional<String> in(ReadObject object) {
        return switch (object) {
            case ReadObject.Fact(ClusterEvent.PodChanged(Pod pod)) ->
                pod.scheduling().topologySpread().stream()
                        .filter(spread -> spread.maxSkew() < 1)
                        .findFirst()
                        .map(RefusedValues::ofSpread);
            case ReadObject.Fact(ClusterEvent.NodeChanged(Node node)) ->
                isNegative(node.allocatable())
                        ? Optional.of("status.allocatable has a negative amount")
                        : Optional.empty();
            case ReadObject.Fact _, ReadObject.Selecting _, ReadObject.Selector _, ReadObject.OfStorage _ ->
                Optional.empty();
        };
    }

    private static String ofSpread(TopologySpreadConstraint spread) {
        return "the spec.topologySpreadConstraints entry by " + spread.topologyKey() + " has maxSkew "
                + spread.maxSkew() + ", and it must be at least 1";
    }

    private static boolean isNegative(Resources amounts) {
        return LongStream.concat(
                        LongStream.of(amounts.milliCpu(), amounts.memory(), amounts.ephemeralStorage(), amounts.pods()),
                        amounts.others().values().stream().mapToLong(Long::longValue))
                .anyMatch(amount -> amount < 0);
    }
}

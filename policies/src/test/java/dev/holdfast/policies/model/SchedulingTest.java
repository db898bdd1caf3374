package dev.holdfast.policies.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Equality of scheduling constraints: pods share equal instances, so any difference must make them unequal. */
class SchedulingTest {
    private static final Labels SSD = Labels.of("disk", "ssd");
    private static final Optional<NodeSelector> NO_NODE = Optional.of(new NodeSelector(List.of()));
    private static final PodAffinityTerm NEAR = PodAffinityTerm.of(LabelSelector.everything(), "zone");
    private static final TopologySpreadConstraint SPREAD =
            TopologySpreadConstraint.of(1, "zone", LabelSelector.everything());
    private static final Toleration TOLERATION = new Toleration("a", "Exists", "", "");

    private static Scheduling full() {
        return new Scheduling(SSD, NO_NODE, List.of(NEAR), List.of(NEAR), List.of(SPREAD), List.of(TOLERATION));
    }

    private static Stream<Arguments> others() {
        return Stream.of(
                argumentSet(
                        "another nodeSelector",
                        new Scheduling(
                                Labels.none(),
                                NO_NODE,
                                List.of(NEAR),
                                List.of(NEAR),
                                List.of(SPREAD),
                                List.of(TOLERATION))),
                argumentSet(
                        "no node affinity instead of one without terms",
                        new Scheduling(
                                SSD,
                                Optional.empty(),
                                List.of(NEAR),
                                List.of(NEAR),
                                List.of(SPREAD),
                                List.of(TOLERATION))),
                argumentSet(
                        "other pod affinity",
                        new Scheduling(SSD, NO_NODE, List.of(), List.of(NEAR), List.of(SPREAD), List.of(TOLERATION))),
                argumentSet(
                        "other anti-affinity",
                        new Scheduling(SSD, NO_NODE, List.of(NEAR), List.of(), List.of(SPREAD), List.of(TOLERATION))),
                argumentSet(
                        "another spread",
                        new Scheduling(SSD, NO_NODE, List.of(NEAR), List.of(NEAR), List.of(), List.of(TOLERATION))),
                argumentSet(
                        "other tolerations",
                        new Scheduling(SSD, NO_NODE, List.of(NEAR), List.of(NEAR), List.of(SPREAD), List.of())),
                argumentSet("anywhere", Scheduling.anywhere()));
    }

    @ParameterizedTest
    @MethodSource("others")
    void oneThatDiffersInOnePartIsAnother(Scheduling other) {
        assertThat(other).isNotEqualTo(full()).doesNotHaveSameHashCodeAs(full());
    }

    @Test
    void oneWithEqualPartsIsEqual() {
        assertThat(full()).isEqualTo(full()).hasSameHashCodeAs(full()).hasToString(full().toString());
    }
}

package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NotStartedCheckTest {
    private static final PodTrait PENDING = phase(Phase.PENDING);

    static Stream<Arguments> rows() {
        return Stream.of(
                row("pending, bound just now", NOW.plusSeconds(600), PENDING, bound(NOW)),
                row("pending, bound 599 s ago", NOW.plusSeconds(1), PENDING, bound(NOW.minusSeconds(599))),
                free("pending, bound 600 s ago", PENDING, bound(NOW.minusSeconds(600))),
                row(
                        "pending, created an hour ago, bound a minute ago",
                        NOW.plusSeconds(540),
                        PENDING,
                        created(NOW.minusSeconds(3600)),
                        bound(NOW.minusSeconds(60))),
                row(
                        "pending, created a minute ago, without a bind time",
                        NOW.plusSeconds(540),
                        PENDING,
                        created(NOW.minusSeconds(60))),
                row("bind time 30 s in the future", NOW.plusSeconds(600), PENDING, bound(NOW.plusSeconds(30))),
                row("bind time far in the future", NOW.plusSeconds(600), PENDING, bound(Instant.MAX)),
                free("running, bound just now", bound(NOW)),
                free("running and not ready, bound just now", bound(NOW), notReady()),
                free("of an unknown phase, bound just now", bound(NOW), phase(Phase.UNKNOWN)));
    }

    private static Arguments row(String name, Instant nextLook, PodTrait... traits) {
        return argumentSet(name, traits, Optional.of(nextLook));
    }

    private static Arguments free(String name, PodTrait... traits) {
        return argumentSet(name, traits, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodIsGivenTenMinutesFromItsBindingToStart(PodTrait[] traits, Optional<Instant> nextLook) {
        List<PodTrait> all = new ArrayList<>(List.of(on("n1"), nodeSelector("disk", "ssd"), replicaOf("web")));
        all.addAll(List.of(traits));
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .pod("web", all.toArray(PodTrait[]::new))
                .build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new NotStartedCheck(), candidate(referenceCluster, "web"), situation(referenceCluster, new Moves()));

        assertThat(hold)
                .isEqualTo(nextLook.map(next -> Hold.until(
                        Reason.NOT_STARTED,
                        "not all containers of the pod have started, and the pod was bound less than 10 minutes ago",
                        next)));
    }
}

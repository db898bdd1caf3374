package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.moving;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which violations wait for a move that is made for another rule: pod cache moves because its node a1 has lost the disk
 * that it needs.
 */
class MoveInProgressCheckTest {
    private static final Move.Stage CONFIRMING = new Move.Stage.Confirming(NOW);
    private static final String WAITS = "pod shop/cache is being moved; the rule is evaluated again after that";
    private static final Optional<String> A2 = Optional.of("a2");
    private static final Optional<String> B1 = Optional.of("b1");

    private static ClusterBuilder zones() {
        return cluster()
                .node("a1", zone("a"), hostname("a1"))
                .node("a2", zone("a"), hostname("a2"), labels("disk", "ssd"))
                .node("b1", zone("b"), hostname("b1"), labels("disk", "ssd"))
                .node("c1", zone("c"), hostname("c1"))
                .pod("cache", on("a1"), replicaOf("cache"), nodeSelector("disk", "ssd"));
    }

    private static ClusterBuilder nearCache(String node) {
        return zones().pod("web", on(node), replicaOf("web"), near(term(app("cache"), ZONE)));
    }

    private static ClusterBuilder apart() {
        return zones().pod("web", on("a1"), replicaOf("web"), apartFrom(term(app("cache"), HOSTNAME)));
    }

    /** {@return a cluster in which web violates a spread over zones that counts caches: 2 in zone a, 0 in b and c} */
    private static ClusterBuilder uneven() {
        return zones().node("c1", hostname("c1"))
                .pod("web", on("a2"), replicaOf("cache"), spread(maxSkew(1, ZONE, app("cache"))));
    }

    static Stream<Arguments> rows() {
        Move.Stage requested = new Move.Stage.Requested(NOW, Set.of("cache"));
        Move.Stage evicted = new Move.Stage.Evicted(NOW.minusSeconds(119), Set.of("cache"));
        Move.Stage longEvicted = new Move.Stage.Evicted(NOW.minusSeconds(120), Set.of("cache"));
        Move.Stage landed = new Move.Stage.Landed(NOW.minusSeconds(9), Set.of("cache"), "cache-2", "b1");
        return Stream.of(
                row("affinity, and the cache comes to its zone", nearCache("b1"), CONFIRMING, B1, true),
                row("affinity, and the cache comes to another zone", nearCache("c1"), CONFIRMING, B1, false),
                row(
                        "affinity, and no node is known for the cache",
                        nearCache("b1"),
                        CONFIRMING,
                        Optional.empty(),
                        false),
                row("affinity, and the eviction of the cache is requested", nearCache("b1"), requested, B1, true),
                row("affinity, and the cache was evicted 119 s ago", nearCache("b1"), evicted, B1, true),
                row("affinity, and the cache was evicted 120 s ago", nearCache("b1"), longEvicted, B1, false),
                row("affinity, and the new cache has a node", nearCache("b1"), landed, B1, false),
                row("anti-affinity, and the only conflicting pod leaves", apart(), CONFIRMING, B1, true),
                row("anti-affinity, and it leaves for a place unknown", apart(), CONFIRMING, Optional.empty(), true),
                row(
                        "anti-affinity, and one of two conflicting pods leaves",
                        apart().pod("cache-2", on("a1"), replicaOf("cache")),
                        CONFIRMING,
                        B1,
                        false),
                row("spread [2,0], and one moves to the empty zone", uneven(), CONFIRMING, B1, true),
                row("spread [2,0], and one moves within its zone", uneven(), CONFIRMING, A2, false),
                row(
                        "node affinity, which no other pod can heal",
                        zones().pod("web", on("a1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                        CONFIRMING,
                        B1,
                        false));
    }

    private static Arguments row(
            String name, ClusterBuilder facts, Move.Stage stage, Optional<String> target, boolean waits) {
        return argumentSet(name, facts, stage, target, waits);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aViolationWaitsForTheMoveThatHealsIt(
            ClusterBuilder facts, Move.Stage stage, Optional<String> target, boolean waits) {
        ReferenceCluster referenceCluster = facts.build();
        Moves moves = new Moves();
        moves.put(moving(candidate(referenceCluster, "cache"), "p", stage).toward(target));

        assertThat(message(referenceCluster, moves)).isEqualTo(waits ? Optional.of(WAITS) : Optional.empty());
    }

    @Test
    void aMoveThatWillBeMadeAnywayCountsLikeOneInFlight() {
        ReferenceCluster referenceCluster = apart().build();
        Moves moves = new Moves();
        Move expected = candidate(referenceCluster, "cache").plannedMove(B1, NOW);
        moves.expect(List.of(expected));

        assertThat(message(referenceCluster, moves))
                .contains("pod shop/cache would be moved first; the rule is evaluated again after that");
    }

    @Test
    void aPodThatWillMoveAnywayWaitsForNoneOfTheOthers() {
        ReferenceCluster referenceCluster = apart().build();
        Moves moves = new Moves();
        moves.expect(List.of(
                candidate(referenceCluster, "cache").plannedMove(B1, NOW),
                candidate(referenceCluster, "web").plannedMove(B1, NOW)));

        assertThat(message(referenceCluster, moves)).isEmpty();
    }

    private static Optional<String> message(ReferenceCluster referenceCluster, Moves moves) {
        return new MoveInProgressCheck()
                .against(candidate(referenceCluster, "web"), situation(referenceCluster, moves))
                .map(Hold::message);
    }
}

package dev.holdfast.policies.plan.situation;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.Changes;
import dev.holdfast.policies.testing.NodeTrait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DomainHistoryTest {
    private static final Instant LONG_AGO = NOW.minusSeconds(86_400);

    /** A cluster in which a node changes every minute from 12:01 on, and the history that records these changes. */
    static final class Zones {
        private final ReferenceCluster referenceCluster;
        private final DomainHistory history;
        private Instant now = NOW;

        Zones(ReferenceCluster referenceCluster) {
            this.referenceCluster = referenceCluster;
            this.history = new DomainHistory(referenceCluster);
            history.follow(List.of(ZONE));
        }

        Zones is(String node, NodeTrait... traits) {
            return happens(Changes.nodeChanged(node, traits));
        }

        Zones gone(String node) {
            return happens(Changes.nodeGone(node));
        }

        private Zones happens(ClusterEvent fact) {
            now = now.plusSeconds(60);
            switch (fact) {
                case ClusterEvent.NodeChanged(Node node) -> apply(node.name(), Optional.of(node));
                case ClusterEvent.NodeGone(String name) -> apply(name, Optional.empty());
                default -> throw new IllegalArgumentException(fact.toString());
            }
            referenceCluster.apply(fact);
            return this;
        }

        private void apply(String name, Optional<Node> after) {
            Optional<Node> before = referenceCluster.node(name);
            if (DomainHistory.matters(before, after)) {
                history.changed(before, after, now);
            }
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("nothing happens", _ -> {}, since(LONG_AGO)),
                row("another zone comes", it -> it.is("d1", zone("d")), since(LONG_AGO)),
                row("its only node goes", it -> it.gone("c1"), Optional.empty()),
                row("its only node goes and comes back", it -> it.gone("c1").is("c1", zone("c")), minute(2)),
                row("its only node ceases to be Ready", it -> it.is("c1", zone("c"), notReady()), noNewDomain()),
                row(
                        "its only node is Ready again",
                        it -> it.is("c1", zone("c"), notReady()).is("c1", zone("c")),
                        minute(2)),
                row("its only node is cordoned", it -> it.is("c1", zone("c"), cordoned()), noNewDomain()),
                row(
                        "its only node is schedulable again",
                        it -> it.is("c1", zone("c"), cordoned()).is("c1", zone("c"), createdAt(LONG_AGO)),
                        minute(2)),
                row("its only node is labelled into another zone", it -> it.is("c1", zone("d")), Optional.empty()),
                row(
                        "its only node is labelled into another zone and back",
                        it -> it.is("c1", zone("d")).is("c1", zone("c"), createdAt(LONG_AGO)),
                        minute(2)),
                row(
                        "its only node gets another label, which does not matter",
                        it -> it.is("c1", zone("c"), rack("r1"), createdAt(LONG_AGO)),
                        since(LONG_AGO)),
                row(
                        "its only node was not Ready for a moment, and the change was missed",
                        it -> it.is("c1", zone("c"), readyChanged(NOW.plusSeconds(30))),
                        minute(1)),
                row(
                        "its only node was replaced, and the change was missed",
                        it -> it.is("c1", zone("c"), uid("other"), createdAt(LONG_AGO)),
                        minute(1)),
                row("a second node comes", it -> it.is("c2", zone("c")), since(LONG_AGO)),
                row(
                        "its nodes are replaced one by one",
                        it -> it.is("c2", zone("c"))
                                .gone("c1")
                                .is("c3", zone("c"))
                                .gone("c2"),
                        since(LONG_AGO)),
                row(
                        "its first node is cordoned when the second is Ready",
                        it -> it.is("c2", zone("c"), notReady())
                                .is("c2", zone("c"))
                                .is("c1", zone("c"), cordoned()),
                        since(LONG_AGO)),
                row(
                        "its first node is cordoned before the second is Ready",
                        it -> it.is("c2", zone("c"), notReady())
                                .is("c1", zone("c"), cordoned())
                                .is("c2", zone("c")),
                        minute(3)),
                row(
                        "after a gap, the nodes' own times are later than the recorded one",
                        it -> {
                            it.is("c2", zone("c"), createdAt(NOW.minusSeconds(10)))
                                    .gone("c1");
                            it.history.resync();
                        },
                        since(NOW.minusSeconds(10))),
                row(
                        "after a gap, the nodes' own times are earlier than the recorded one",
                        it -> {
                            it.is("c1", zone("c"), cordoned()).is("c1", zone("c"), createdAt(LONG_AGO));
                            it.history.resync();
                        },
                        minute(2)));
    }

    private static Arguments row(String name, Consumer<Zones> happens, Optional<NewDomain> expected) {
        return argumentSet(name, happens, expected);
    }

    private static Optional<NewDomain> noNewDomain() {
        return Optional.of(new NewDomain("c", Optional.empty()));
    }

    private static Optional<NewDomain> minute(int minute) {
        return since(NOW.plusSeconds(60L * minute));
    }

    private static Optional<NewDomain> since(Instant instant) {
        return Optional.of(new NewDomain("c", Optional.of(instant)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aDomainIsAsOldAsTheTimeItCouldHaveTakenPodsWithoutInterruption(
            Consumer<Zones> happens, Optional<NewDomain> expected) {
        Zones zones =
                new Zones(cluster().node("c1", zone("c"), createdAt(LONG_AGO)).build());

        happens.accept(zones);

        assertThat(zones.history.newerThan(ZONE, Instant.MIN).stream()
                        .filter(newDomain -> newDomain.domain().equals("c"))
                        .findFirst())
                .isEqualTo(expected);
    }

    @Test
    void thoseAreToldThatAreNewerThanAnInstantTheYoungestFirst() {
        ReferenceCluster referenceCluster = cluster()
                .node("a1", zone("a"), createdAt(NOW.minusSeconds(30)))
                .node("b1", zone("b"), createdAt(NOW.minusSeconds(20)))
                .node("c1", zone("c"), createdAt(NOW.minusSeconds(10)))
                .node("d1", zone("d"), notReady())
                .node("n1", labels("disk", "ssd"))
                .build();

        List<NewDomain> newer = new DomainHistory(referenceCluster).newerThan(ZONE, NOW.minusSeconds(30));

        assertThat(newer).extracting(NewDomain::domain).containsExactly("d", "c", "b");
    }

    @Test
    void nothingIsRememberedOfATopologyKeyThatNobodySpeaksOfAnyMore() {
        DomainHistory history =
                new DomainHistory(cluster().node("c1", zone("c")).build());
        history.follow(List.of(ZONE));
        assertThat(history.size()).isEqualTo(1);

        history.follow(List.of());

        assertThat(history.size()).isZero();
    }
}

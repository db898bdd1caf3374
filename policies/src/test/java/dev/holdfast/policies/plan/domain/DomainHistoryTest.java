package dev.holdfast.policies.plan.domain;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.testing.Changes;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DomainHistoryTest {
    private static final Instant LONG_AGO = NOW.minusSeconds(86_400);

    private static final String NO_DOMAIN = "no domain";
    private static final String NOT_NOW = "not usable now";

    /** The zones of a spread that counts all nodes. */
    private static final SpreadDomains ALL_ZONES = zones(maxSkew(1, ZONE, app("web")));

    private static final NodeTrait GENERAL = labels("pool", "general");
    private static final NodeTrait GPU = labels("pool", "gpu");
    private static final NodeTrait OLD = createdAt(LONG_AGO);
    private static final NodeTrait DEDICATED = tainted("dedicated", "gpu", "NoSchedule");

    private static SpreadDomains zones(TopologySpreadConstraint constraint, PodTrait... pod) {
        return SpreadDomains.of(
                new Rule.TopologySpread(constraint, List.of()),
                Facts.pod("web", pod).scheduling());
    }

    /** A cluster in which a node changes every minute from 12:01 on, and the history that records these changes. */
    static final class Zones {
        private final ReferenceCluster referenceCluster;
        private final DomainHistory history;
        private Instant now = NOW;

        /** @param followed the spread whose domains the history follows from the start; empty to follow none */
        Zones(ReferenceCluster referenceCluster, Optional<SpreadDomains> followed) {
            this.referenceCluster = referenceCluster;
            this.history = new DomainHistory(referenceCluster);
            history.follow(followed.map(Set::of).orElse(Set.of()));
        }

        /** {@return the same zones in another process, which knows what this one remembered} */
        Zones restarted() {
            Zones next = new Zones(referenceCluster, Optional.empty());
            next.history.recall(history.remembered(new VanishedNodes(), _ -> true), now);
            return next;
        }

        Optional<NewDomain> zoneC(SpreadDomains spread) {
            return history.newerThan(spread, Instant.MIN).stream()
                    .filter(newDomain -> newDomain.domain().equals("c"))
                    .findFirst();
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
                case ClusterEvent.NodeUnread(Node node) -> apply(node.name(), Optional.empty());
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
                row("its only node goes", it -> it.gone("c1"), NO_DOMAIN),
                row("its only node goes and comes back", it -> it.gone("c1").is("c1", zone("c")), minute(2)),
                row("its only node ceases to be Ready", it -> it.is("c1", zone("c"), notReady()), NOT_NOW),
                row(
                        "its only node is Ready again",
                        it -> it.is("c1", zone("c"), notReady()).is("c1", zone("c")),
                        minute(2)),
                row("its only node is cordoned", it -> it.is("c1", zone("c"), cordoned()), NOT_NOW),
                row(
                        "its only node is schedulable again",
                        it -> it.is("c1", zone("c"), cordoned()).is("c1", zone("c"), createdAt(LONG_AGO)),
                        minute(2)),
                row(
                        "its only node is drained",
                        it -> it.is("c1", zone("c"), lifecycle(NodeLifecycle.Condition.DRAINED)),
                        NOT_NOW),
                row(
                        "its only node was drained, and its condition is gone",
                        it -> it.is("c1", zone("c"), lifecycle(NodeLifecycle.Condition.DRAINED))
                                .is("c1", zone("c"), createdAt(LONG_AGO)),
                        minute(2)),
                row(
                        "its only node was drained and not Ready, and is Ready 30 s before its condition is gone",
                        it -> it.is("c1", zone("c"), notReady(), lifecycle(NodeLifecycle.Condition.DRAINED))
                                .is("c1", zone("c"), readyChanged(NOW.plusSeconds(90))),
                        minute(2)),
                row(
                        "its only node's maintenance is planned and called off",
                        it -> it.is("c1", zone("c"), OLD, lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED))
                                .is("c1", zone("c"), OLD),
                        since(LONG_AGO)),
                row(
                        "its only node has maintenance planned and is not Ready, and is Ready 30 s before the plan is"
                                + " called off",
                        it -> it.is("c1", zone("c"), notReady(), lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED))
                                .is("c1", zone("c"), readyChanged(NOW.plusSeconds(90))),
                        since(NOW.plusSeconds(90))),
                row("its only node is labelled into another zone", it -> it.is("c1", zone("d")), NO_DOMAIN),
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

    private static Arguments row(String name, Consumer<Zones> happens, String expected) {
        return argumentSet(name, happens, expected);
    }

    /** {@return since when a zone is usable} */
    private static String usable(Optional<NewDomain> zone) {
        return zone.map(it -> it.usableSince().map(DomainHistoryTest::since).orElse(NOT_NOW))
                .orElse(NO_DOMAIN);
    }

    private static String minute(int minute) {
        return since(at(minute));
    }

    private static Instant at(int minute) {
        return NOW.plusSeconds(60L * minute);
    }

    private static String since(Instant instant) {
        return "since " + instant;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aDomainIsAsOldAsTheTimeItCouldHaveTakenPodsWithoutInterruption(Consumer<Zones> happens, String expected) {
        Zones zones =
                new Zones(cluster().node("c1", zone("c"), createdAt(LONG_AGO)).build(), Optional.of(ALL_ZONES));

        happens.accept(zones);

        assertThat(usable(zones.zoneC(ALL_ZONES))).isEqualTo(expected);
        assertThat(usable(zones.restarted().zoneC(ALL_ZONES)))
                .as("after a restart")
                .isEqualTo(expected);
    }

    static Stream<Arguments> pools() {
        SpreadDomains general = zones(maxSkew(1, ZONE, app("web")), nodeSelector("pool", "general"));
        SpreadDomains notGpu =
                zones(maxSkew(1, ZONE, app("web")), nodeAffinity(nodeTerm(expression("pool", "NotIn", "gpu"))));
        SpreadDomains either =
                zones(maxSkew(1, ZONE, app("web")), nodeAffinity(nodeTerm(expression("pool", "In", "general", "gpu"))));
        SpreadDomains ignoring =
                zones(maxSkew(1, ZONE, app("web"), ignoringNodeAffinity()), nodeSelector("pool", "general"));
        SpreadDomains heeding = zones(maxSkew(1, ZONE, app("web"), honoringTaints()));
        SpreadDomains tolerant =
                zones(maxSkew(1, ZONE, app("web"), honoringTaints()), tolerating("dedicated", "gpu", "NoSchedule"));
        return Stream.of(
                pool("only another pool has nodes there", general, _ -> {}, NO_DOMAIN, NO_DOMAIN),
                pool(
                        "the pool's first node comes",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, createdAt(at(1))),
                        minute(1),
                        minute(1)),
                pool(
                        "the pool's first node comes, and says that it has been Ready since before its creation",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, createdAt(at(1)), readyChanged(LONG_AGO)),
                        minute(1),
                        minute(1)),
                pool(
                        "a node of the other pool is labelled into this pool",
                        general,
                        it -> it.is("c1", zone("c"), GENERAL, OLD),
                        minute(1),
                        minute(1)),
                pool(
                        "a node is labelled into the pool, and then gets other labels, which do not matter",
                        general,
                        it -> it.is("c1", zone("c"), GENERAL, OLD).is("c1", zone("c"), GENERAL, rack("r1"), OLD),
                        minute(1),
                        minute(1)),
                pool(
                        "a node is labelled into the pool, away and back",
                        general,
                        it -> it.is("c1", zone("c"), GENERAL, OLD)
                                .is("c1", zone("c"), GPU, OLD)
                                .is("c1", zone("c"), GENERAL, OLD),
                        minute(3),
                        minute(3)),
                pool(
                        "the pool's only node is labelled into the other pool",
                        general,
                        it -> it.is("c1", zone("c"), GENERAL, OLD).is("c1", zone("c"), GPU, OLD),
                        NO_DOMAIN,
                        NO_DOMAIN),
                pool(
                        "the pool's nodes are replaced one by one: a table made later knows only those that are there",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, createdAt(at(1)))
                                .is("c3", zone("c"), GENERAL, createdAt(at(2)))
                                .gone("c2"),
                        minute(1),
                        minute(2)),
                pool(
                        "the pool scales to zero and back, beside a node of the other pool that stays",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, createdAt(at(1)))
                                .gone("c2")
                                .is("c3", zone("c"), GENERAL, createdAt(at(3))),
                        minute(3),
                        minute(3)),
                pool(
                        "the pool's only node is not Ready for a while",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, OLD)
                                .is("c2", zone("c"), GENERAL, OLD, notReady())
                                .is("c2", zone("c"), GENERAL, OLD),
                        minute(3),
                        minute(3)),
                pool(
                        "the pool's only node is not Ready",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, OLD).is("c2", zone("c"), GENERAL, OLD, notReady()),
                        NOT_NOW,
                        NOT_NOW),
                pool(
                        "the pool's only node is cordoned for a while",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, OLD)
                                .is("c2", zone("c"), GENERAL, OLD, cordoned())
                                .is("c2", zone("c"), GENERAL, OLD),
                        minute(3),
                        minute(3)),
                pool(
                        "the other pool's node is not Ready for a while",
                        general,
                        it -> it.is("c2", zone("c"), GENERAL, createdAt(at(1)))
                                .is("c1", zone("c"), GPU, OLD, notReady())
                                .is("c1", zone("c"), GPU, OLD),
                        minute(1),
                        minute(1)),
                pool(
                        "NotIn: a node loses the label that excludes it",
                        notGpu,
                        it -> it.is("c1", zone("c"), OLD),
                        minute(1),
                        minute(1)),
                pool(
                        "In: a node goes from one pool to another, and both count; a table made later cannot tell",
                        either,
                        it -> it.is("c1", zone("c"), GENERAL, OLD),
                        since(LONG_AGO),
                        minute(1)),
                pool(
                        "with nodeAffinityPolicy Ignore, all pools count",
                        ignoring,
                        it -> it.is("c2", zone("c"), GENERAL, createdAt(at(1))),
                        since(LONG_AGO),
                        since(LONG_AGO)),
                pool(
                        "a node gets a taint that excludes it",
                        heeding,
                        it -> it.is("c1", zone("c"), GPU, OLD, DEDICATED),
                        NO_DOMAIN,
                        NO_DOMAIN),
                pool(
                        "a node is tainted for a while",
                        heeding,
                        it -> it.is("c1", zone("c"), GPU, OLD, DEDICATED).is("c1", zone("c"), GPU, OLD),
                        minute(2),
                        minute(2)),
                pool(
                        "a node is tainted for a while, with a taint that the pod tolerates",
                        tolerant,
                        it -> it.is("c1", zone("c"), GPU, OLD, DEDICATED).is("c1", zone("c"), GPU, OLD),
                        since(LONG_AGO),
                        since(LONG_AGO)),
                pool(
                        "a node is tainted for a while, with PreferNoSchedule",
                        heeding,
                        it -> it.is("c1", zone("c"), GPU, OLD, tainted("dedicated", "gpu", "PreferNoSchedule"))
                                .is("c1", zone("c"), GPU, OLD),
                        since(LONG_AGO),
                        since(LONG_AGO)),
                pool(
                        "with nodeTaintsPolicy Ignore, taints make no difference",
                        ALL_ZONES,
                        it -> it.is("c1", zone("c"), GPU, OLD, DEDICATED).is("c1", zone("c"), GPU, OLD),
                        since(LONG_AGO),
                        since(LONG_AGO)),
                ofPool(
                        "32 other labels of a node change, one after the other",
                        ALL_ZONES,
                        it -> IntStream.range(0, 31).forEach(i -> it.is("c1", zone("c"), OLD, labels("k" + i, ""))),
                        since(LONG_AGO),
                        since(LONG_AGO),
                        // Of more than eight changes, the next process gets the last.
                        minute(31)),
                pool(
                        "so many labels of a node change that it counts as changed altogether",
                        ALL_ZONES,
                        it -> IntStream.range(0, 32).forEach(i -> it.is("c1", zone("c"), OLD, labels("k" + i, ""))),
                        since(LONG_AGO),
                        minute(32)));
    }

    private static Arguments pool(
            String name, SpreadDomains spread, Consumer<Zones> happens, String kept, String madeLater) {
        return ofPool(name, spread, happens, kept, madeLater, madeLater);
    }

    private static Arguments ofPool(
            String name,
            SpreadDomains spread,
            Consumer<Zones> happens,
            String kept,
            String madeLater,
            String madeAfterRestart) {
        return argumentSet(name, spread, happens, kept, madeLater, madeAfterRestart);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void onlyNodesThatTheSpreadCountsMakeADomainOld(
            SpreadDomains spread, Consumer<Zones> happens, String kept, String madeLater, String madeAfterRestart) {
        Supplier<ReferenceCluster> nodes =
                () -> cluster().node("c1", zone("c"), GPU, OLD).build();
        Zones followed = new Zones(nodes.get(), Optional.of(spread));
        Zones notFollowed = new Zones(nodes.get(), Optional.empty());

        happens.accept(followed);
        happens.accept(notFollowed);

        assertThat(usable(followed.zoneC(spread))).as("followed from the start").isEqualTo(kept);
        assertThat(usable(followed.restarted().zoneC(spread)))
                .as("after a restart")
                .isEqualTo(kept);
        assertThat(usable(notFollowed.zoneC(spread)))
                .as("asked for the first time")
                .isEqualTo(madeLater);
        assertThat(usable(notFollowed.restarted().zoneC(spread)))
                .as("asked for the first time after a restart")
                .isEqualTo(madeAfterRestart);
    }

    /** Node c2 came while no operator ran, after the last node of the zone had gone. */
    @Test
    void aDomainWhoseNodesAllCameAfterTheLastWriteIsAsYoungAsTheyAre() {
        Zones before =
                new Zones(cluster().node("c1", zone("c"), createdAt(LONG_AGO)).build(), Optional.of(ALL_ZONES));
        RememberedNodes remembered = before.history.remembered(new VanishedNodes(), _ -> true);
        DomainHistory after = new DomainHistory(
                cluster().node("c2", zone("c"), createdAt(at(5))).build());

        after.recall(remembered, at(1));

        assertThat(usable(after.newerThan(ALL_ZONES, Instant.MIN).stream().findFirst()))
                .isEqualTo(minute(5));
    }

    @Test
    void aDomainSaysHowManyOfItsNodesTheSpreadCountsAndHowManyOfThemAreUsable() {
        SpreadDomains general = zones(maxSkew(1, ZONE, app("web")), nodeSelector("pool", "general"));
        Zones zones = new Zones(
                cluster()
                        .node("c1", zone("c"), GPU, OLD)
                        .node("c2", zone("c"), GENERAL, OLD)
                        .node("c3", zone("c"), GENERAL, OLD, notReady())
                        .build(),
                Optional.of(general));

        assertThat(zones.zoneC(general)).contains(new NewDomain("c", Optional.of(LONG_AGO), 1, 2));
    }

    /** {@return this number of spreads, each with other eligible nodes} */
    private static Set<SpreadDomains> spreads(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> zones(
                        maxSkew(1, ZONE, app("web")), nodeAffinity(nodeTerm(expression("pool", "NotIn", "p" + i)))))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Test
    void ofTooManySpreadsOnlyTheFirstAreFollowedAndTheOthersAreAnsweredFromTheNodes() {
        ReferenceCluster nodes = cluster().node("c1", zone("c"), GPU, OLD).build();
        DomainHistory history = new DomainHistory(nodes);
        Set<SpreadDomains> spreads = spreads(1_500);

        history.follow(spreads);

        // 200,000 / (200 + 1 zone), rounded up
        assertThat(history.size()).isEqualTo(996);
        assertThat(spreads)
                .allSatisfy(spread -> assertThat(history.newerThan(spread, LONG_AGO.minusSeconds(1)))
                        .containsExactly(new NewDomain("c", Optional.of(LONG_AGO), 1, 1)));
    }

    @Test
    void tablesMadeForOneAnswerAreBoundedToo() {
        DomainHistory history =
                new DomainHistory(cluster().node("c1", zone("c"), GPU, OLD).build());

        spreads(1_500).forEach(spread -> history.newerThan(spread, NOW));

        assertThat(history.size()).isLessThanOrEqualTo(996);
    }

    @Test
    void aTableMadeForOneAnswerIsMadeAgainAfterAChange() {
        Zones zones = new Zones(cluster().node("c1", zone("c"), OLD).build(), Optional.empty());
        assertThat(zones.zoneC(ALL_ZONES)).contains(new NewDomain("c", Optional.of(LONG_AGO), 1, 1));

        zones.is("c1", zone("c"), OLD, notReady());

        assertThat(zones.zoneC(ALL_ZONES)).contains(new NewDomain("c", Optional.empty(), 0, 1));
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

        List<NewDomain> newer = new DomainHistory(referenceCluster).newerThan(ALL_ZONES, NOW.minusSeconds(30));

        assertThat(newer).extracting(NewDomain::domain).containsExactly("d", "c", "b");
    }

    @Test
    void nothingIsRememberedOfASpreadThatNoPodHasAnyMore() {
        DomainHistory history =
                new DomainHistory(cluster().node("c1", zone("c")).build());
        history.follow(Set.of(ALL_ZONES));
        assertThat(history.size()).isEqualTo(1);

        history.follow(Set.of());

        assertThat(history.size()).isZero();
    }

    @Test
    void nothingIsRememberedOfANodeThatIsGone() {
        Zones zones = new Zones(cluster().node("c1", zone("c")).build(), Optional.empty());
        zones.is("c1", zone("c"), GPU);
        assertThat(zones.history.changedNodes()).isEqualTo(1);

        zones.gone("c1");

        assertThat(zones.history.changedNodes()).isZero();
    }
}

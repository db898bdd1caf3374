package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.perValueOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests whole lives of violations: which pods are evicted, when, and which notifications follow. */
class EngineTest {
    /** {@return a cluster with two SSD nodes, and a pod on the first one that needs an SSD} */
    private static ClusterBuilder webOnSsd() {
        return cluster()
                .node("n1", labels("disk", "ssd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
    }

    /** {@return a cluster with zones a and b, which have one node each: a1 and b1} */
    private static ClusterBuilder zones() {
        return cluster().node("a1", zone("a")).node("b1", zone("b"));
    }

    /** {@return a cluster with a cache in zone a, and a pod that must be in the zone of the cache} */
    private static ClusterBuilder webNearCache() {
        return zones().replicaSet("web", 1)
                .pod("cache-1", on("a1"), replicaOf("cache"))
                .pod("web-1", on("a1"), replicaOf("web"), near(term(app("cache"), ZONE)));
    }

    @Test
    void aPodWhoseNodeLosesItsLabelIsEvictedWhenForgivenessHasPassedAndNotASecondBefore() {
        EngineScenario engineScenario =
                EngineScenario.begin(webOnSsd(), enforcing()).replacingOn("n2");

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd")));
        engineScenario.afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.requests.getFirst().since()).isEqualTo(EngineScenario.START);
        assertThat(engineScenario.requests.getFirst().cause()).isEqualTo("label disk of node n1 changed ssd -> hdd");
        assertThat(engineScenario.events())
                .containsExactly(
                        "Started web-1",
                        "Evicting web-1",
                        "Answered web-1",
                        "Ended web-1 EVICTED",
                        "Moved web-1 MOVED");
    }

    @Test
    void aBreachThatHealsInsideTheWindowEvictsNoPodAndTheNextOneStartsFromZero() {
        EngineScenario engineScenario = EngineScenario.begin(webOnSsd(), enforcing());

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd")));
        engineScenario.afterSeconds(50).happens(nodeChanged("n1", labels("disk", "ssd")));
        engineScenario.afterSeconds(5).happens(nodeChanged("n1", labels("disk", "hdd")));
        engineScenario.afterSeconds(59);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.events()).containsExactly("Started web-1", "Ended web-1 HEALED", "Started web-1");
    }

    @Test
    void aPodThatIsNoVictimIsReportedFromTheFirstWithTheHoldThatFollows() {
        Map<String, Reason> protectedPods = new TreeMap<>(Map.of(
                "agent", Reason.DAEMON_SET_POD,
                "bare", Reason.NO_CONTROLLER,
                "dns", Reason.PROTECTED_NAMESPACE,
                "job", Reason.RUNS_TO_COMPLETION));
        PodTrait ssd = nodeSelector("disk", "ssd");
        ClusterBuilder facts = webOnSsd()
                .pod("agent", on("n1"), ssd, ownedBy("DaemonSet", "agent", "agent-uid"))
                .pod("bare", on("n1"), ssd)
                .pod("dns", on("n1"), ssd, replicaOf("dns"), in("kube-system"))
                .pod("job", on("n1"), ssd, ownedBy("Job", "job", "job-uid"), restartPolicy(RestartPolicy.NEVER));

        EngineScenario engineScenario = EngineScenario.begin(facts, everywhere(enforcing()));
        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(60);

        Map<String, Reason> foretold = new TreeMap<>();
        Map<String, Reason> held = new TreeMap<>();
        for (Notification notification : engineScenario.told) {
            String pod = notification.violation().pod().name();
            if (notification instanceof Notification.Started(var violation)) {
                violation.protection().ifPresent(reason -> foretold.put(pod, reason));
            }
            if (notification instanceof Notification.Held(var _, var hold)) {
                held.put(pod, hold.reason());
            }
        }
        assertThat(foretold).isEqualTo(protectedPods);
        assertThat(held).isEqualTo(protectedPods);
    }

    @Test
    void auditTellsWhatEnforceWouldDoAndReadsAndSendsNothing() {
        EngineScenario engineScenario = EngineScenario.begin(webOnSsd(), auditing());

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(600);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.events()).containsExactly("Started web-1", "WouldEvict web-1");
        assertThat(engineScenario.report(auditing()).pods()).isEqualTo(new PolicyReport.Pods(1, 1, 1, 0));
    }

    @Test
    void aCeilingOfAuditTurnsEnforceIntoAudit() {
        EngineScenario engineScenario = EngineScenario.begin(webOnSsd(), enforcing())
                .event(new Event.ModeCapped(Mode.AUDIT, "the right to evict is missing"));

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(600);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.report(enforcing()).mode()).isEqualTo(Mode.AUDIT);
    }

    @Test
    void whatIsBrokenAtFirstSightStartsItsClockThere() {
        EngineScenario engineScenario = EngineScenario.begin(webOnSsd().node("n1", labels("disk", "hdd")), enforcing())
                .afterSeconds(59);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.told.getFirst().violation().cause()).isEqualTo(new Cause.FoundAtStart());
    }

    @Test
    void ofTwoPodsApartFromEachOtherInOneZoneExactlyOneLeaves() {
        PodTrait apart = apartFrom(term(app("web"), ZONE));
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().node("c1", zone("c"))
                                .replicaSet("web", 2)
                                .pod("web-1", on("a1"), replicaOf("web"), apart)
                                .pod("web-2", on("b1"), replicaOf("web"), apart),
                        enforcing())
                .replacingOn("c1");

        engineScenario.happens(nodeChanged("b1", zone("a"))).afterSeconds(3600);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.events())
                .containsExactly(
                        "Started web-1",
                        "Started web-2",
                        "Held web-2 MoveInScope",
                        "Evicting web-1",
                        "Answered web-1",
                        "Ended web-1 EVICTED",
                        "Ended web-2 HEALED",
                        "Moved web-1 MOVED");
    }

    @Test
    void ofThreePodsEachAloneInAZoneOfASelfAffineGroupTwoJoinTheThird() {
        PodTrait near = near(term(app("web"), ZONE));
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().node("c1", zone("c"))
                                .replicaSet("web", 3)
                                .pod("web-1", on("a1"), replicaOf("web"), near)
                                .pod("web-2", on("b1"), replicaOf("web"), near)
                                .pod("web-3", on("c1"), replicaOf("web"), near),
                        enforcing())
                .replacingOn("c1");

        engineScenario.afterSeconds(3600);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void twoPodsOfASelfAffineGroupOverTwoNamespacesEachAloneInAZoneDoNotChangePlaces() {
        PodTrait near = near(term(app("web"), ZONE, namespaces("a", "b")));
        Policy everywhere = everywhere(enforcing());
        EngineScenario engineScenario = EngineScenario.begin(
                zones().pod("p1", in("a"), on("a1"), replicaOf("web"), near)
                        .pod(
                                "p2",
                                in("b"),
                                on("b1"),
                                ownedBy("ReplicaSet", "web-b", "web-b"),
                                labels("app", "web"),
                                near),
                everywhere);

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("p1");
        assertThat(engineScenario.report(everywhere).holds()).isEqualTo(Map.of(Reason.MOVE_IN_SCOPE, 1));
    }

    @Test
    void twoRevisionsThatAreSpreadEachOnItsOwnDoNotWaitForEachOther() {
        PodTrait even = spread(maxSkew(1, ZONE, app("web"), perValueOf("hash")));
        ClusterBuilder facts = zones();
        for (String hash : List.of("r1", "r2")) {
            for (int i = 1; i <= 3; i++) {
                facts.pod(
                        hash + "-" + i,
                        on("a1"),
                        labels("app", "web", "hash", hash),
                        ownedBy("ReplicaSet", hash, hash),
                        even);
            }
        }

        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing()).afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("r1-1", "r2-1");
    }

    @Test
    void ofFourPodsInOneZoneAndNoneInTheOtherTwoLeaveAndNotThree() {
        PodTrait even = spread(maxSkew(1, ZONE, app("web")));
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().replicaSet("web", 4)
                                .pod("web-1", on("a1"), replicaOf("web"), even)
                                .pod("web-2", on("a1"), replicaOf("web"), even)
                                .pod("web-3", on("a1"), replicaOf("web"), even)
                                .pod("web-4", on("a1"), replicaOf("web"), even),
                        enforcing())
                .replacingOn("b1");

        engineScenario.afterSeconds(3600);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void aPodFollowsItsPartnerIntoAnotherZone() {
        EngineScenario engineScenario =
                EngineScenario.begin(webNearCache(), enforcing()).replacingOn("b1");

        engineScenario
                .happens(podGone("cache-1"))
                .happens(podChanged("cache-1-new", on("b1"), replicaOf("cache")))
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.requests.getFirst().cause()).isEqualTo("pod shop/cache-1 left");
    }

    @Test
    void aPodWhosePartnerIsNowhereWaitsAndGoesAtOnceWhenThePartnerIsBackElsewhere() {
        EngineScenario engineScenario =
                EngineScenario.begin(webNearCache(), enforcing()).replacingOn("b1");

        engineScenario.happens(podGone("cache-1")).afterSeconds(600);
        assertThat(engineScenario.events()).containsExactly("Started web-1", "Held web-1 Infeasible");
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.INFEASIBLE, 1));
        engineScenario
                .happens(podChanged("cache-1-new", on("b1"), replicaOf("cache")))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void whenInfeasibleEvictMovesAPodThatNoNodeWouldTake() {
        Policy insisting = policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.EVICT);
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));

        EngineScenario engineScenario = EngineScenario.begin(facts, insisting).afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void theOwnerOfTheRuleLeavesAndThePodRelabelledIntoConflictStays() {
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().replicaSet("web", 1)
                                .pod("batch-1", on("a1"), replicaOf("batch"), labels("app", "calm"))
                                .pod("web-1", on("a1"), replicaOf("web"), apartFrom(term(app("noisy"), ZONE))),
                        enforcing())
                .replacingOn("b1");

        engineScenario
                .happens(
                        podChanged("batch-1", on("a1"), replicaOf("batch"), labels("app", "noisy"), resourceVersion(2)))
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.requests.getFirst().cause())
                .isEqualTo("label app of pod shop/batch-1 changed calm -> noisy");
    }

    @Test
    void aCordonedEmptyNodeUnderHostnameSpreadMovesNothing() {
        PodTrait even = spread(maxSkew(1, HOSTNAME, app("web")));
        EngineScenario engineScenario = EngineScenario.begin(
                cluster()
                        .node("n1", hostname("n1"))
                        .node("n2", hostname("n2"))
                        .pod("web-1", on("n1"), replicaOf("web"), even)
                        .pod("web-2", on("n2"), replicaOf("web"), even)
                        .pod("web-3", on("n1"), replicaOf("web"), even)
                        .pod("web-4", on("n2"), replicaOf("web"), even),
                enforcing());

        engineScenario.happens(nodeChanged("n3", hostname("n3"), cordoned())).afterSeconds(3600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.DOMAIN_ADDED, 4));
    }

    @Test
    void podsOfExemptNamespacesAreNoPartnersOfAntiAffinity() {
        PodTrait apartFromAll = apartFrom(term(selector(), ZONE, namespaces("kube-system")));

        EngineScenario engineScenario = EngineScenario.begin(
                        zones().pod("daemon", in("kube-system"), on("a1"), labels("app", "web"))
                                .pod("web-1", on("a1"), replicaOf("web"), apartFromAll),
                        enforcing())
                .afterSeconds(600);

        assertThat(engineScenario.events()).isEmpty();
    }

    @Test
    void podsOfExemptNamespacesAreNeverVictimsWhateverRuleIsBroken() {
        EngineSettings settings = new EngineSettings(
                EngineScenario.settings().operatorLimits(),
                ProtectedPods.in(Set.of()),
                Set.of("infra"),
                EngineScenario.settings().replacementTimes(),
                EngineScenario.settings().breakers());
        ClusterBuilder facts = webOnSsd()
                .replicaSet("dns", 1)
                .pod("dns-1", in("infra"), on("n1"), replicaOf("dns"), nodeSelector("disk", "ssd"));

        EngineScenario engineScenario = EngineScenario.begin(settings, facts, everywhere(enforcing()));
        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.report(everywhere(enforcing())).holds())
                .isEqualTo(Map.of(Reason.PROTECTED_NAMESPACE, 1));
    }

    @Test
    void ofPodsOfExemptNamespacesBothEvaluatorsSayTheSame() {
        PodTrait apartFromAll = apartFrom(term(selector(), ZONE, namespaces("kube-system", "shop")));

        EngineScenario engineScenario = EngineScenario.begin(
                        zones().namespace("kube-system", labels("team", "platform"))
                                .namespace("shop", labels("team", "blue"))
                                .pod("daemon", in("kube-system"), on("a1"), labels("app", "web"), apartFromAll)
                                .pod("web-1", on("a1"), replicaOf("web"), apartFromAll),
                        everywhere(enforcing()))
                .comparing(2);

        assertThat(engineScenario.compared).isEqualTo(2);
        assertThat(engineScenario.difference).isEmpty();
    }

    /**
     * {@return a cluster with a pod for each kind of rule that violates the rule from the start; for anti-affinity
     * there are two pods in one zone}
     */
    private static ClusterBuilder manyBroken() {
        PodTrait apart = apartFrom(term(app("web"), ZONE));
        return zones().node("c1", zone("c"), labels("disk", "ssd"))
                .namespace("shop", labels("team", "blue"))
                .replicaSet("web", 2)
                .replicaSet("db", 1)
                .pod("web-1", on("a1"), replicaOf("web"), apart)
                .pod("web-2", on("a1"), replicaOf("web"), apart)
                .pod("db-1", on("b1"), replicaOf("db"), nodeSelector("disk", "ssd"))
                .pod("api-1", on("b1"), replicaOf("api"), near(term(app("web"), ZONE)))
                .pod("even-1", on("a1"), replicaOf("even"), spread(maxSkew(1, ZONE, app("even"))))
                .pod("even-2", on("a1"), replicaOf("even"), spread(maxSkew(1, ZONE, app("even"))));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theOrderInWhichFactsAreFirstSeenChangesNothing(long seed) {
        EngineScenario asSaid = EngineScenario.begin(manyBroken(), enforcing())
                .replacingOn("c1")
                .after(Duration.ofMinutes(5));
        List<ClusterEvent> facts = new ArrayList<>(manyBroken().facts());
        Collections.shuffle(facts, new Random(seed));
        ClusterBuilder shuffled = cluster();
        facts.forEach(shuffled::with);

        EngineScenario engineScenario =
                EngineScenario.begin(shuffled, enforcing()).replacingOn("c1").after(Duration.ofMinutes(5));

        assertThat(engineScenario.requests).isEqualTo(asSaid.requests).hasSizeGreaterThan(2);
        assertThat(engineScenario.reads).isEqualTo(asSaid.reads);
        assertThat(engineScenario.told).isEqualTo(asSaid.told);
        assertThat(engineScenario.reports).isEqualTo(asSaid.reports);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void independentChangesAtOneInstantHaveTheSameEffectsInAnyOrder(long seed) {
        List<ClusterEvent> changes = new ArrayList<>(List.of(
                nodeChanged("n1", labels("disk", "hdd")),
                nodeChanged("n3", labels("disk", "hdd")),
                podChanged("batch-1", on("n2"), replicaOf("batch"), nodeSelector("gpu", "yes")),
                podGone("db-1")));
        ClusterBuilder facts = webOnSsd()
                .node("n3", labels("disk", "ssd"))
                .pod("api-1", on("n3"), replicaOf("api"), nodeSelector("disk", "ssd"))
                .pod("db-1", on("n2"), replicaOf("db"));
        EngineScenario inOrder = EngineScenario.begin(facts, enforcing());
        changes.forEach(inOrder::happens);
        Collections.shuffle(changes, new Random(seed));

        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing());
        changes.forEach(engineScenario::happens);

        inOrder.after(Duration.ofMinutes(5));
        engineScenario.after(Duration.ofMinutes(5));
        assertThat(engineScenario.requests).isEqualTo(inOrder.requests).hasSize(2);
        assertThat(engineScenario.told).containsExactlyInAnyOrderElementsOf(inOrder.told);
        assertThat(engineScenario.reports).isEqualTo(inOrder.reports);
    }

    @Test
    void ofThreePodsApartFromEachOtherInOneZoneExactlyTwoLeaveOneAfterTheOther() {
        PodTrait apart = apartFrom(term(app("web"), ZONE));
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().node("c1", zone("c"))
                                .replicaSet("web", 3)
                                .pod("web-1", on("a1"), replicaOf("web"), apart)
                                .pod("web-2", on("a1"), replicaOf("web"), apart)
                                .pod("web-3", on("a1"), replicaOf("web"), apart),
                        enforcing())
                .replacingOn("b1");

        engineScenario.afterSeconds(60);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
        engineScenario.replacingOn("c1").afterSeconds(3600);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void ofAChainOfConflictsByDifferentRulesOnePodMovesAtATime() {
        EngineScenario engineScenario = EngineScenario.begin(
                zones().pod("a", on("a1"), replicaOf("a"), apartFrom(term(app("b"), ZONE)))
                        .pod("b", on("a1"), replicaOf("b"), apartFrom(term(app("c"), ZONE)))
                        .pod("c", on("a1"), replicaOf("c"), apartFrom(term(app("d"), ZONE)))
                        .pod("d", on("a1"), replicaOf("d")),
                enforcing());

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.evicted())
                .as("b heals a too, and shares a conflict with c")
                .containsExactly("b");
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.MOVE_IN_SCOPE, 2));
    }
}

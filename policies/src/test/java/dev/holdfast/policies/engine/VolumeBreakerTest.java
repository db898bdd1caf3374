package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeUnread;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ObjectTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the volume breaker: if very many pods break a rule at once, no pod is moved. In each scenario pods web-1 to
 * web-60, each of its own workload, require one label each of their node n1. The node {@code spare} has all these
 * labels. Other pods have no rules.
 */
class VolumeBreakerTest {
    private static final int PODS = 60;

    /** {@return the labels that the pods require, without those of the first {@code lost} pods} */
    private static ObjectTrait.LabelsTrait without(int lost) {
        List<String> labels = new ArrayList<>(List.of("node", "yes"));
        for (int i = lost + 1; i <= PODS; i++) {
            labels.addAll(List.of("label-" + i, "yes"));
        }
        return labels(labels.toArray(String[]::new));
    }

    private static ClusterBuilder facts(int lost, int bound) {
        ClusterBuilder facts = cluster().node("n1", without(lost)).node("n2").node("spare", without(0));
        for (int i = 1; i <= PODS; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("label-" + i, "yes"));
        }
        IntStream.rangeClosed(PODS + 1, bound).forEach(i -> facts.pod("other-" + i, on("n2")));
        return facts;
    }

    private static EngineScenario begin(int bound, Policy... policies) {
        return EngineScenario.begin(facts(0, bound), policies).replacingOn("spare");
    }

    private static EngineScenario breaking(EngineScenario engineScenario, int pods) {
        return engineScenario.happens(nodeChanged("n1", without(pods)));
    }

    private static List<BrakeReport.Change> turns(EngineScenario engineScenario) {
        return engineScenario.turns.stream().map(BreakerReport::change).toList();
    }

    @Test
    void sixtyOfAThousandPodsBreakAtOnceAndNoPodIsMovedWhileItStaysSo() {
        EngineScenario engineScenario = breaking(begin(1_000, enforcing()), 60).after(Duration.ofDays(2));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.VOLUME_BREAKER);
        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("60 of 1000 bound pods broke a rule in namespace shop within 90 s (NodeLabelChanged 60)."
                        + " Moving pods does not repair that. No pod in namespace shop is evicted until fewer of"
                        + " these pods violate a rule, or until you acknowledge that this is intended: kubectl"
                        + " annotate namespace holdfast --overwrite holdfast.dev/acknowledge="
                        + engineScenario.turns.getFirst().id());
    }

    @Test
    void withoutTheBreakerTheyWouldBeMoved() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.VOLUME_BREAKER, Reason.RESUMING)),
                        facts(0, 1_000),
                        enforcing())
                .replacingOn("spare");

        breaking(engineScenario, 60).after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).hasSize(60);
    }

    @Test
    void sixtyOfTwelveHundredAreNoMoreThanATwentiethAndOfOnePodFewerTheyAre() {
        assertThat(breaking(begin(1_200, enforcing()), 60).afterSeconds(1).turns)
                .isEmpty();
        assertThat(turns(breaking(begin(1_199, enforcing()), 60).afterSeconds(1)))
                .containsExactly(BrakeReport.Change.OPENED);
    }

    @Test
    void fortyNineAreTooFewAndFiftyAreNot() {
        assertThat(breaking(begin(60, enforcing()), 49).afterSeconds(1).turns).isEmpty();
        assertThat(turns(breaking(begin(60, enforcing()), 50).afterSeconds(1)))
                .containsExactly(BrakeReport.Change.OPENED);
    }

    /** {@return sixty web pods in one rack that require the cache, which runs on node n2 of the rack} */
    private static ClusterBuilder nearCache() {
        ClusterBuilder facts = cluster()
                .node("n1", labels("rack", "a"))
                .node("n2", labels("rack", "a"))
                .node("spare", labels("rack", "b"))
                .pod("cache", on("n2"), labels("app", "cache"));
        for (int i = 1; i <= PODS; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), near(term(matchLabels("app", "cache"), "rack")));
        }
        return facts;
    }

    @Test
    void whatANodeThatIsNotReadAnyMoreMayStillSatisfyDoesNotOpenIt() {
        EngineScenario engineScenario = EngineScenario.begin(nearCache(), enforcing())
                .happens(nodeUnread("n2", "it has 5000 labels"))
                .afterSeconds(70);

        assertThat(turns(engineScenario)).isEmpty();
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.TOO_COMPLEX);
    }

    @Test
    void aCacheThatIsGoneOpensIt() {
        EngineScenario engineScenario = EngineScenario.begin(nearCache(), enforcing())
                .happens(podGone("cache"))
                .afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED);
    }

    @Test
    void whatBreaksSlowlyDoesNotOpenIt() {
        EngineScenario engineScenario = begin(60, enforcing());
        for (int i = 1; i <= PODS; i++) {
            breaking(engineScenario, i).afterSeconds(2);
        }

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).isNotEmpty();
    }

    @Test
    void whatBrokeLongerAgoDoesNotOpenItWhenOtherPodsLeave() {
        EngineScenario engineScenario = breaking(begin(1_200, enforcing("web", Duration.ofHours(3))), 60)
                .afterSeconds(91);

        engineScenario
                .happens(podGone("other-1200"))
                .happens(podGone("other-1199"))
                .afterSeconds(1);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void whatWasBrokenAtTheStartIsPacedByTheLimits() {
        EngineScenario engineScenario = EngineScenario.begin(facts(60, 60), enforcing())
                .replacingOn("spare")
                .after(Duration.ofHours(1));

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).hasSize(60);
    }

    @Test
    void aNewPolicyDoesNotOpenIt() {
        EngineScenario engineScenario = EngineScenario.begin(facts(60, 60)).replacingOn("spare");

        engineScenario.event(new Event.PolicyChanged(enforcing())).afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void whatIsOnlyAuditedDoesNotOpenItAndNeitherDoesItKeepItOpen() {
        EngineScenario engineScenario = breaking(begin(60, auditing()), 60).afterSeconds(1);
        assertThat(engineScenario.turns).isEmpty();

        engineScenario = breaking(begin(60, enforcing()), 50).afterSeconds(1);
        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED);
        engineScenario.event(new Event.PolicyChanged(edited(auditing()))).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
    }

    @Test
    void whatOnePolicyEnforcesAndAnotherAuditsOpensIt() {
        EngineScenario engineScenario = breaking(
                        begin(
                                60,
                                enforcing(),
                                TestPolicies.everywhere(policy("audit", Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT))),
                        60)
                .afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED);
    }

    @Test
    void anEmptyZoneThatAnAutoscalerAddsIsNoStorm() {
        ClusterBuilder facts = cluster().node("a", zone("a")).node("b", zone("b"));
        for (int i = 1; i <= 50; i++) {
            String shop = "shop-" + i;
            facts.namespace(shop, labels("shop", "yes"));
            for (String zone : List.of("a", "a", "b", "b")) {
                facts.pod(
                        "web-" + zone + "-" + facts.facts().size(),
                        in(shop),
                        on(zone),
                        replicaOf("web-" + i),
                        labels("app", "web"),
                        spread(maxSkew(1, ZONE, app("web"))));
            }
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, TestPolicies.everywhere(enforcing()));

        engineScenario
                .happens(nodeChanged("c", zone("c"), createdAt(EngineScenario.START)))
                .after(Duration.ofHours(1));

        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.DOMAIN_ADDED);
        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void aPodWithTwoBrokenRulesIsOnePod() {
        ClusterBuilder facts =
                cluster().node("n1", labels("a", "yes", "b", "yes")).node("spare");
        for (int i = 1; i <= 49; i++) {
            facts.pod("web-" + i, on("n1"), nodeSelector("a", "yes"));
        }
        EngineScenario engineScenario = EngineScenario.begin(
                facts,
                enforcing(),
                TestPolicies.alsoAsking(
                        "b",
                        new Rule.NodeAffinity(Labels.of("b", "yes"), Optional.empty()),
                        new Enforcement(Mode.ENFORCE, TestPolicies.FORGIVENESS, WhenInfeasible.WAIT),
                        enforcing("other", TestPolicies.FORGIVENESS)));

        engineScenario.happens(nodeChanged("n1")).afterSeconds(1);

        assertThat(engineScenario.told).hasSize(98);
        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void itClosesWhenFewerOfThemAreBrokenAndAfterTenQuietMinutesEvictionsBeginWithOne() {
        EngineScenario engineScenario = breaking(begin(1_000, enforcing()), 60).afterSeconds(70);

        breaking(engineScenario, 49).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
        assertThat(engineScenario.afterSeconds(598).evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
        assertThat(engineScenario.heldBecause())
                .endsWith("no pod is evicted before 2026-11-20T12:11:10Z, because the cluster may still be healing");
        assertThat(engineScenario.afterSeconds(2).evicted()).hasSize(1);
        assertThat(engineScenario.after(Duration.ofMinutes(10)).evicted()).hasSize(3);
    }

    /**
     * {@return a scenario with sixty pods in one zone and fifty-nine in the other, one of which is deleted: then the
     * first zone has one pod too many}
     */
    private static EngineScenario oneTooMany(EngineSettings settings) {
        ClusterBuilder facts =
                cluster().node("a", zone("a")).node("b", zone("b")).replicaSet("web", 120);
        for (int i = 1; i <= 119; i++) {
            facts.pod(
                    "web-" + i,
                    on(i <= 60 ? "a" : "b"),
                    replicaOf("web"),
                    labels("app", "web"),
                    spread(maxSkew(1, ZONE, app("web"))));
        }
        return EngineScenario.begin(settings, facts, enforcing())
                .replacingOn("b")
                .happens(podGone("web-119"));
    }

    @Test
    void onePodTooManyInAZoneOfSixtyIsNoStorm() {
        EngineScenario engineScenario = oneTooMany(EngineScenario.settings()).after(Duration.ofHours(1));

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).hasSize(1);
    }

    static Stream<Arguments> fifty() {
        return Stream.of(
                argumentSet("one service in each of fifty namespaces", 50, 1),
                argumentSet("fifty services in one namespace", 1, 50));
    }

    @ParameterizedTest
    @MethodSource("fifty")
    void onePodTooManyInAZoneIsOne(int namespaces, int services) {
        ClusterBuilder facts = cluster().node("a", zone("a")).node("b", zone("b"));
        List<String> gone = new ArrayList<>();
        for (int i = 1; i <= namespaces; i++) {
            String shop = "shop-" + i;
            facts.namespace(shop, labels("shop", "yes"));
            for (int j = 1; j <= services; j++) {
                String name = shop + "-web-" + j;
                PodTrait[] web = {
                    in(shop), replicaOf(name), labels("app", "web-" + j), spread(maxSkew(1, ZONE, app("web-" + j)))
                };
                facts.pod("a-" + name, on("a"), and(web))
                        .pod("also-a-" + name, on("a"), and(web))
                        .pod("b-" + name, on("b"), and(web));
                gone.add("b-" + name);
            }
        }
        EngineScenario engineScenario = EngineScenario.begin(facts, TestPolicies.everywhere(enforcing()));

        gone.forEach(pod -> engineScenario.happens(podGone(pod)));

        assertThat(turns(engineScenario.afterSeconds(1))).containsExactly(BrakeReport.Change.OPENED);
    }

    private static PodTrait and(PodTrait... traits) {
        return pod -> List.of(traits).forEach(trait -> trait.of(pod));
    }

    @Test
    void itStaysOpenForThoseThatBrokeAtOnceAndThoseThatBrokeSince() {
        EngineScenario engineScenario = breaking(begin(60, enforcing()), 50).after(Duration.ofHours(1));
        breaking(engineScenario, 60).afterSeconds(1);

        engineScenario.happens(podGone("web-1")).happens(podGone("web-2")).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED);
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void acknowledgedItClosesAndEvictionsBeginWithOneAndDouble() {
        EngineScenario engineScenario = breaking(begin(1_000, enforcing()), 60).afterSeconds(70);

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(599);
        assertThat(engineScenario.evicted()).hasSize(1);
        engineScenario.after(Duration.ofMinutes(10));
        assertThat(engineScenario.evicted()).hasSize(3);
        engineScenario.after(Duration.ofMinutes(30));
        assertThat(engineScenario.evicted()).hasSize(31);
        engineScenario.after(Duration.ofMinutes(10));

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.ACKNOWLEDGED);
        assertThat(engineScenario.evicted())
                .as("as many as the limits allow from now on")
                .hasSize(60);
    }

    @Test
    void aMoveWhoseDryRunIsRunningWhenItOpensIsNotRequested() {
        EngineScenario engineScenario = breaking(begin(1_000, enforcing()), 1)
                .duringDryRun(new Event.ObjectChanged(nodeChanged("n1", without(60))))
                .afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VOLUME_BREAKER);
    }

    /**
     * {@return a scenario with pods of several namespaces on n1, each of its own workload, which require the label of
     * their namespace; as many others are bound as make 60 too many}
     *
     * @param pods how many pods each namespace has
     */
    private static EngineScenario tenants(Map<String, Integer> pods) {
        ClusterBuilder facts = cluster().node("n1", tenantLabels(pods.keySet())).node("n2");
        facts.node("spare", tenantLabels(pods.keySet()));
        pods.forEach((namespace, count) -> {
            facts.namespace(namespace, labels("shop", "yes"));
            for (int i = 1; i <= count; i++) {
                String name = namespace + "-" + i;
                facts.pod(name, in(namespace), on("n1"), replicaOf(name), nodeSelector(namespace, "yes"));
            }
        });
        int others = 1_000 - pods.values().stream().mapToInt(it -> it).sum();
        IntStream.rangeClosed(1, others).forEach(i -> facts.pod("other-" + i, on("n2")));
        return EngineScenario.begin(facts, TestPolicies.everywhere(enforcing())).replacingOn("spare");
    }

    private static ObjectTrait.LabelsTrait tenantLabels(Set<String> namespaces) {
        return labels(Stream.concat(Stream.of("node"), namespaces.stream())
                .flatMap(namespace -> Stream.of(namespace, "yes"))
                .toArray(String[]::new));
    }

    /** Takes the labels of all namespaces but these from the node n1. */
    private static EngineScenario keeping(EngineScenario engineScenario, String... namespaces) {
        return engineScenario.happens(nodeChanged("n1", tenantLabels(Set.of(namespaces))));
    }

    private static List<String> turnsByScope(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(turn -> turn.change() + " " + turn.scope())
                .toList();
    }

    static Stream<Arguments> evidence() {
        return Stream.of(
                argumentSet(
                        "60 pods of one namespace: only this namespace",
                        Map.of("a", 60, "b", 0),
                        List.of("OPENED OneNamespace[name=a]")),
                argumentSet(
                        "90 pods of one and 50 of another: 50 are no more than a twentieth, so only the first",
                        Map.of("a", 90, "b", 50),
                        List.of("OPENED OneNamespace[name=a]")),
                argumentSet(
                        "90 pods of one and 51 of another, who may have one owner: only these two",
                        Map.of("a", 90, "b", 51),
                        List.of("OPENED OneNamespace[name=a]", "OPENED OneNamespace[name=b]")),
                argumentSet(
                        "90 pods of one and 51 of 2 others together: the two largest",
                        Map.of("a", 90, "b", 26, "c", 25),
                        List.of("OPENED OneNamespace[name=a]", "OPENED OneNamespace[name=b]")),
                argumentSet(
                        "90 and 60 pods of two, and 50 of a third: 50 are no more than a twentieth, so the two",
                        Map.of("a", 90, "b", 60, "c", 50),
                        List.of("OPENED OneNamespace[name=a]", "OPENED OneNamespace[name=b]")),
                argumentSet(
                        "90 and 60 pods of two, and 51 of a third: all",
                        Map.of("a", 90, "b", 60, "c", 51),
                        List.of("OPENED Everything[]")),
                argumentSet(
                        "90 and 60 pods of two, and 51 of two others together: all",
                        Map.of("a", 90, "b", 60, "c", 26, "d", 25),
                        List.of("OPENED Everything[]")),
                argumentSet(
                        "30 pods of each of two: the first by name, since those of the other are no more than allowed",
                        Map.of("a", 30, "b", 30),
                        List.of("OPENED OneNamespace[name=a]")));
    }

    @ParameterizedTest
    @MethodSource("evidence")
    void itHoldsAllOnlyIfTheOtherNamespacesAloneBreakTooMuch(Map<String, Integer> pods, List<String> turns) {
        assertThat(turnsByScope(keeping(tenants(pods)).afterSeconds(1))).isEqualTo(turns);
    }

    private static EngineScenario keeping(EngineScenario engineScenario) {
        return keeping(engineScenario, new String[0]);
    }

    @Test
    void aTenantWhosePodsAllBreakDoesNotStopTheOthers() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 200, "b", 1)), "none").after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).containsExactly("b-1");
        assertThat(engineScenario.holds()).containsOnly(Reason.VOLUME_BREAKER);
    }

    @Test
    void whileItIsOpenForOneNamespaceTheOthersMayOpenItForAll() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 200, "b", 60, "c", 55)), "b", "c").afterSeconds(30);
        keeping(engineScenario).afterSeconds(1);

        assertThat(turnsByScope(engineScenario)).containsExactly("OPENED OneNamespace[name=a]", "OPENED Everything[]");
        keeping(engineScenario, "b", "c").afterSeconds(1);
        keeping(engineScenario, "a", "b", "c").afterSeconds(1);

        assertThat(turnsByScope(engineScenario))
                .containsExactly(
                        "OPENED OneNamespace[name=a]",
                        "OPENED Everything[]",
                        "HEALED Everything[]",
                        "HEALED OneNamespace[name=a]");
    }

    @Test
    void ofTwoNamespacesThatAreHeldEachIsFreeOnceItsPodsViolateNothing() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 90, "b", 60))).afterSeconds(30);
        keeping(engineScenario, "a").afterSeconds(30);
        keeping(engineScenario, "a", "b").afterSeconds(30);

        assertThat(turnsByScope(engineScenario))
                .containsExactly(
                        "OPENED OneNamespace[name=a]",
                        "OPENED OneNamespace[name=b]",
                        "HEALED OneNamespace[name=a]",
                        "HEALED OneNamespace[name=b]");
    }

    @Test
    void aTenantWithTwoNamespacesDoesNotStopTheOthers() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 200, "b", 200, "c", 1)), "none").after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).containsExactly("c-1");
        assertThat(engineScenario.holds()).containsOnly(Reason.VOLUME_BREAKER);
    }

    @Test
    void whatANamespaceBrokeLongAgoHoldsNoOther() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 200, "b", 60, "c", 27)), "b", "c").after(Duration.ofMinutes(10));
        keeping(engineScenario, "b").afterSeconds(100);
        keeping(engineScenario).afterSeconds(1);

        assertThat(turnsByScope(engineScenario))
                .containsExactly("OPENED OneNamespace[name=a]", "OPENED OneNamespace[name=b]");
    }

    @Test
    void itClosesForANamespaceThatHealedAlthoughTheClusterShrank() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 51, "b", 50))).afterSeconds(1);
        assertThat(turnsByScope(engineScenario)).containsExactly("OPENED OneNamespace[name=a]");

        keeping(engineScenario, "b").happens(podGone("other-1")).happens(podGone("other-2"));
        keeping(engineScenario, "a", "b").afterSeconds(1);

        assertThat(turnsByScope(engineScenario))
                .containsExactly("OPENED OneNamespace[name=a]", "HEALED OneNamespace[name=a]");
    }

    @Test
    void aTenantCannotKeepItOpenForAll() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 200, "b", 60, "c", 55))).afterSeconds(1);
        keeping(engineScenario, "b", "c").afterSeconds(1);

        assertThat(turnsByScope(engineScenario))
                .containsExactly("OPENED Everything[]", "HEALED Everything[]", "OPENED OneNamespace[name=a]");
    }

    @Test
    void itStaysOpenForANamespaceWhenTheOthersThatOpenedItAreForgotten() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 40, "b", 30))).after(Duration.ofMinutes(5));

        assertThat(turnsByScope(engineScenario)).containsExactly("OPENED OneNamespace[name=a]");
    }

    @Test
    void whoAcknowledgesItForAllAcceptsItForEachNamespace() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 200, "b", 60, "c", 55)), "b", "c").afterSeconds(1);
        keeping(engineScenario).afterSeconds(1);

        engineScenario
                .happens(acknowledged(engineScenario.turns.getLast().id()))
                .afterSeconds(1);

        assertThat(turnsByScope(engineScenario))
                .containsExactly(
                        "OPENED OneNamespace[name=a]",
                        "OPENED Everything[]",
                        "ACKNOWLEDGED OneNamespace[name=a]",
                        "ACKNOWLEDGED Everything[]");
    }

    @Test
    void evictionsOfOneNamespaceResumeSlowlyAndThoseOfOthersAsBefore() {
        EngineScenario engineScenario =
                keeping(tenants(Map.of("a", 60, "b", 9)), "b").afterSeconds(70);
        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .happens(nodeChanged("n1", tenantLabels(Set.of())))
                .after(Duration.ofMinutes(9));

        assertThat(engineScenario.evicted())
                .filteredOn(pod -> pod.startsWith("a-"))
                .hasSize(1);
        assertThat(engineScenario.evicted())
                .filteredOn(pod -> pod.startsWith("b-"))
                .hasSize(9);
    }

    @Test
    void whatIsOverIsForgotten() {
        EngineScenario engineScenario = breaking(begin(60, enforcing()), 50).afterSeconds(30);

        breaking(engineScenario, 0).after(Duration.ofHours(26)).happens(nodeChanged("n1", without(0)));

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
        assertThat(engineScenario.engine.remembered()).isZero();
    }
}

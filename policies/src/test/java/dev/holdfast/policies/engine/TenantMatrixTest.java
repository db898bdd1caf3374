package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.gangMember;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.conduct.CronSchedule;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.plan.conduct.MaintenanceWindow;
import dev.holdfast.policies.plan.conduct.MaxUnavailable;
import dev.holdfast.policies.plan.conduct.PodOverrides;
import dev.holdfast.policies.plan.conduct.PolicyLimits;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a tenant can do against a cluster policy that requires nodes with an SSD for the pod {@code shop/web} and forgives
 * 60 s. The pod is on n1, and only n2 has an SSD. Each row is a policy, a label or an annotation of a tenant. Each column
 * says what becomes of the pod: the second in which it is evicted, or why it is still held after an hour.
 */
class TenantMatrixTest {
    private static final Rule SSD = nodeSelectorRule("disk", "ssd");
    private static final Rule HDD = nodeSelectorRule("disk", "hdd");
    private static final Rule APART = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME));
    private static final PolicyLimits NONE = PolicyLimits.none();
    private static final DisruptionControls PLAIN = DisruptionControls.plain();
    private static final String MOVED = "evicted after 60 s";
    private static final String MOVED_LATER = "evicted after 600 s";

    /** What a tenant brings into the cluster. */
    record Tenant(List<PodTrait> onThePod, List<ClusterBuilder> objects, List<Event> policies) {}

    private static Tenant pod(PodTrait... traits) {
        return new Tenant(List.of(traits), List.of(), List.of());
    }

    private static Tenant objects(ClusterBuilder objects, Event... policies) {
        return new Tenant(List.of(), List.of(objects), List.of(policies));
    }

    /** {@return a policy of the namespace for all its pods} */
    private static Event policy(Mode mode, Rule rule, Duration forgiveness, DisruptionControls controls) {
        return policy("shop", mode, rule, forgiveness, controls);
    }

    private static Event policy(
            String namespace, Mode mode, Rule rule, Duration forgiveness, DisruptionControls controls) {
        return new Event.PolicyChanged(
                new Policy(
                        PolicyId.namespaced(namespace, "own"),
                        1,
                        mode,
                        matcher(LabelSelector.everything()),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        List.of(new Policy.NamedRule(
                                "own", rule, new Enforcement(mode, forgiveness, WhenInfeasible.WAIT)))),
                controls);
    }

    private static DisruptionControls limits(PolicyLimits limits) {
        return new DisruptionControls(List.of(), List.of(), Set.of(), Optional.empty(), PodOverrides.all(), limits);
    }

    private static DisruptionControls closedWindow() {
        return new DisruptionControls(
                List.of(new MaintenanceWindow(
                        "all-day",
                        MaintenanceWindow.Action.DENY,
                        everyMidnight(),
                        Duration.ofHours(24),
                        ZoneOffset.UTC)),
                List.of(),
                Set.of(),
                Optional.empty(),
                PodOverrides.all(),
                NONE);
    }

    private static CronSchedule everyMidnight() {
        return switch (CronSchedule.of("0 0 * * *")) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) -> it;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new IllegalArgumentException(why);
        };
    }

    private static DisruptionControls exception() {
        return new DisruptionControls(
                List.of(),
                List.of(new DisruptionControls.StandingException(
                        "mine", matcher(LabelSelector.everything()), Optional.empty(), "mine")),
                Set.of(),
                Optional.empty(),
                PodOverrides.all(),
                NONE);
    }

    static Stream<Arguments> tenants() {
        List<Arguments> rows = new ArrayList<>();
        rows.add(row("nothing", pod(), MOVED, MOVED, MOVED));

        // The same rule, with other wishes: the cluster policy keeps its own time and conduct.
        for (Mode mode : List.of(Mode.AUDIT, Mode.ENFORCE)) {
            String how = ", mode " + mode;
            rows.add(moved(
                    "the same rule with a forgiveness of an hour" + how,
                    policy(mode, SSD, Duration.ofHours(1), PLAIN)));
            rows.add(moved("the same rule with a closed window" + how, policy(mode, SSD, FORGIVENESS, closedWindow())));
            rows.add(moved("the same rule with an exception" + how, policy(mode, SSD, FORGIVENESS, exception())));
            rows.add(moved(
                    "the same rule with maxConcurrentEvictions 0" + how,
                    policy(
                            mode,
                            SSD,
                            FORGIVENESS,
                            limits(new PolicyLimits(
                                    OptionalInt.of(0),
                                    NONE.perHour(),
                                    0,
                                    NONE.workloadConcurrent(),
                                    NONE.workloadPerHour(),
                                    NONE.maxUnavailable())))));
            rows.add(moved(
                    "the same rule with minReplicas 100" + how,
                    policy(
                            mode,
                            SSD,
                            FORGIVENESS,
                            limits(new PolicyLimits(
                                    NONE.concurrent(),
                                    NONE.perHour(),
                                    100,
                                    NONE.workloadConcurrent(),
                                    NONE.workloadPerHour(),
                                    NONE.maxUnavailable())))));
            rows.add(moved(
                    "the same rule with maxUnavailable 0" + how,
                    policy(
                            mode,
                            SSD,
                            FORGIVENESS,
                            limits(new PolicyLimits(
                                    NONE.concurrent(),
                                    NONE.perHour(),
                                    0,
                                    NONE.workloadConcurrent(),
                                    NONE.workloadPerHour(),
                                    new MaxUnavailable.Pods(0))))));
        }

        // Rules that close the only node.
        ClusterBuilder batch = cluster().pod("batch", on("n2"), replicaOf("batch"));
        rows.add(moved("an audited rule for the only other disk", policy(Mode.AUDIT, HDD, FORGIVENESS, PLAIN)));
        rows.add(row(
                "an enforced rule for the only other disk",
                new Tenant(List.of(), List.of(), List.of(policy(Mode.ENFORCE, HDD, FORGIVENESS, PLAIN))),
                "held Contradicts",
                MOVED_LATER,
                MOVED));
        rows.add(row(
                "an audited rule to be apart from a pod of the only node",
                objects(batch, policy(Mode.AUDIT, APART, FORGIVENESS, PLAIN)),
                MOVED,
                MOVED,
                MOVED));
        rows.add(row(
                "an enforced rule to be apart from a pod of the only node",
                objects(batch, policy(Mode.ENFORCE, APART, FORGIVENESS, PLAIN)),
                "held Contradicts",
                MOVED_LATER,
                MOVED));

        // Pods of other tenants as bystanders: two of them have rules that the move would break.
        rows.add(row(
                "audited rules of another tenant's pods near the pod",
                neighbours(Mode.AUDIT),
                "held TradesViolations",
                MOVED_LATER,
                MOVED));
        rows.add(row(
                "enforced rules of another tenant's pods near the pod",
                neighbours(Mode.ENFORCE),
                "held TradesViolations",
                MOVED_LATER,
                MOVED));
        rows.add(row(
                "the required anti-affinity of another tenant's pod, which the scheduler obeys too",
                objects(cluster()
                        .pod(
                                "far",
                                on("n2"),
                                in("other"),
                                replicaOf("far"),
                                apartFrom(term(app("web"), HOSTNAME, namespaceSelector(LabelSelector.everything()))))),
                "held Infeasible",
                "held Infeasible",
                "held Infeasible"));

        // Annotations and labels.
        rows.add(row(
                "the annotation keep", pod(annotated("holdfast.dev/keep", "true")), "held Kept", MOVED_LATER, MOVED));
        rows.add(row(
                "the annotation keep-until",
                pod(annotated("holdfast.dev/keep-until", "2027-11-20T13:00:00Z")),
                "held Kept",
                MOVED_LATER,
                MOVED));
        rows.add(row(
                "the annotation forgiveness-seconds",
                pod(annotated("holdfast.dev/forgiveness-seconds", "86400")),
                "held ",
                MOVED_LATER,
                MOVED));
        for (String mark : List.of(
                "cluster-autoscaler.kubernetes.io/safe-to-evict=false",
                "karpenter.sh/do-not-disrupt=true",
                "descheduler.alpha.kubernetes.io/prefer-no-eviction=true")) {
            String[] parts = mark.split("=");
            rows.add(row(
                    "the mark " + mark,
                    pod(annotated(parts[0], parts[1])),
                    "held MarkedByOthers",
                    "held MarkedByOthers",
                    "held MarkedByOthers"));
        }
        rows.add(row(
                "the label cluster.x-k8s.io/drain=skip",
                pod(labels("cluster.x-k8s.io/drain", "skip")),
                "held MarkedByOthers",
                "held MarkedByOthers",
                "held MarkedByOthers"));
        rows.add(row(
                "a mark as gang member", pod(gangMember()), "held GangMember", "held GangMember", "held GangMember"));
        return rows.stream();
    }

    /** {@return two pods of another tenant on n1, which its policy wants to be near the pod} */
    private static Tenant neighbours(Mode mode) {
        Rule near = new Rule.PodAffinity(
                List.of(term(matchLabels("app", "web"), HOSTNAME, namespaceSelector(LabelSelector.everything()))));
        return objects(
                cluster()
                        .pod("near-1", on("n1"), in("other"), replicaOf("near"))
                        .pod("near-2", on("n1"), in("other"), replicaOf("near")),
                policy("other", mode, near, FORGIVENESS, PLAIN));
    }

    private static Arguments moved(String name, Event policy) {
        return row(name, new Tenant(List.of(), List.of(), List.of(policy)), MOVED, MOVED, MOVED);
    }

    private static Arguments row(String name, Tenant tenant, String honored, String capped, String ignored) {
        return argumentSet(name, tenant, honored, capped, ignored);
    }

    @ParameterizedTest
    @MethodSource("tenants")
    void aTenantCannotPutOffWhatAClusterPolicyEnforces(Tenant tenant, String honored, String capped, String ignored) {
        assertThat(outcome(tenant, PodOverrides.all()))
                .as("podOverrides: Honor")
                .startsWith(honored);
        assertThat(outcome(tenant, new PodOverrides(true, Optional.of(Duration.ofMinutes(10)))))
                .as("podOverrides: Honor, maxKeepSeconds: 600")
                .startsWith(capped);
        assertThat(outcome(tenant, new PodOverrides(false, Optional.empty())))
                .as("podOverrides: Ignore")
                .startsWith(ignored);
    }

    @ParameterizedTest
    @MethodSource("tenants")
    void nothingOfATenantMakesAnAuditingClusterPolicyEvict(
            Tenant tenant, String honored, String capped, String ignored) {
        Policy audit = platform(Mode.AUDIT);
        EngineScenario engineScenario = begin(tenant, audit, PLAIN).after(Duration.ofHours(1));

        assertThat(engineScenario.requests)
                .filteredOn(request -> request.policy().equals(audit.id()))
                .isEmpty();
    }

    private static Policy platform(Mode mode) {
        return new Policy(
                PolicyId.cluster("platform"),
                1,
                mode,
                matcher(app("web")),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                List.of(new Policy.NamedRule("ssd", SSD, new Enforcement(mode, FORGIVENESS, WhenInfeasible.WAIT))));
    }

    private static EngineScenario begin(Tenant tenant, Policy platform, DisruptionControls controls) {
        List<PodTrait> traits = new ArrayList<>(List.of(on("n1"), replicaOf("web")));
        traits.addAll(tenant.onThePod());
        ClusterBuilder facts = cluster()
                .namespace("shop", labels("team", "shop"))
                .namespace("other", labels("team", "other"))
                .node("n1", labels("disk", "hdd", HOSTNAME, "n1"))
                .node("n2", labels("disk", "ssd", HOSTNAME, "n2"))
                .replicaSet("web", 1)
                .pod("web", traits.toArray(PodTrait[]::new));
        EngineScenario engineScenario = EngineScenario.begin(facts);
        tenant.objects().forEach(objects -> objects.facts().forEach(engineScenario::happens));
        tenant.policies().forEach(engineScenario::event);
        return engineScenario.replacingOn("n2").event(new Event.PolicyChanged(platform, controls));
    }

    /** {@return when the cluster policy evicts the pod within an hour, in seconds, or why it holds the pod then} */
    private static String outcome(Tenant tenant, PodOverrides overrides) {
        DisruptionControls controls =
                new DisruptionControls(List.of(), List.of(), Set.of(), Optional.empty(), overrides, NONE);
        EngineScenario engineScenario = begin(tenant, platform(Mode.ENFORCE), controls);
        for (int seconds = 0; seconds <= 3_600; seconds += 30) {
            if (!engineScenario.requests.isEmpty()) {
                return "evicted after " + seconds + " s";
            }
            engineScenario.afterSeconds(30);
        }
        return "held "
                + Optional.ofNullable(engineScenario.reports.get(PolicyId.cluster("platform")))
                        .orElseThrow()
                        .holds()
                        .keySet()
                        .stream()
                        .map(reason -> reason.label())
                        .collect(Collectors.joining());
    }
}

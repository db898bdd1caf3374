package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Changes.budgetNeverAllows;
import static dev.holdfast.policies.testing.Changes.deploymentChanged;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.marks;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.gangMember;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.invalidRules;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.PodTraits.tooComplex;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.rule.WhenRequired;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rows of the {@link TenantMatrixTest}: every field of a policy, label and annotation that a tenant can write. */
final class TenantRows {
    private static final String MOVED = "evicted after 60 s";
    static final String MOVED_LATER = "evicted after 600 s";
    private static final Rule HDD = nodeSelectorRule("disk", "hdd");
    private static final Rule APART = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME));
    private static final Rule NEAR_WEB = new Rule.PodAffinity(
            List.of(term(matchLabels("app", "web"), HOSTNAME, namespaceSelector(LabelSelector.everything()))));
    private static final PolicyLimits NONE = PolicyLimits.none();
    private static final DisruptionControls PLAIN = DisruptionControls.plain();
    private static final LabelMatcher ALL = matcher(LabelSelector.everything());

    private final EnforcedRule enforced;

    private TenantRows(EnforcedRule enforced) {
        this.enforced = enforced;
    }

    /** {@return all rows, for a rule that the cluster policy enforces} */
    static Stream<Tenant> all(EnforcedRule enforced) {
        TenantRows rows = new TenantRows(enforced);
        return Stream.of(
                        Stream.of(
                                new Tenant("nothing", Set.of(), List.of(), List.of(), List.of(), MOVED, MOVED, MOVED)),
                        rows.sameRule(Mode.AUDIT),
                        rows.sameRule(Mode.ENFORCE),
                        closingRules(),
                        annotationRules(),
                        rows.bystanders(),
                        rows.annotationsAndLabels(),
                        otherObjects())
                .flatMap(it -> it);
    }

    /** {@return policies for the rule that the cluster policy enforces: it keeps its own time, limits and windows} */
    private Stream<Tenant> sameRule(Mode mode) {
        return Stream.of(
                same(mode, "forgiveness of an hour", Set.of("forgiveness"), Duration.ofHours(1), PLAIN),
                same(mode, "closed window", Set.of("maintenanceWindows"), FORGIVENESS, closedWindow()),
                same(mode, "exception for all pods", Set.of("exceptions"), FORGIVENESS, exception()),
                same(
                        mode,
                        "the allowance TooFewReplicas",
                        Set.of("allowed"),
                        FORGIVENESS,
                        allowing(Reason.TOO_FEW_REPLICAS)),
                same(mode, "trust of no namespace", Set.of("trusted"), FORGIVENESS, trusting(matchLabels("no", "no"))),
                same(mode, "maxConcurrentEvictions 0", Set.of("limits", "concurrent"), FORGIVENESS, concurrent(0)),
                same(mode, "maxEvictionsPerHour 0", Set.of("perHour"), FORGIVENESS, perHour(0)),
                same(mode, "minReplicas 100", Set.of("minReplicas"), FORGIVENESS, minReplicas(100)),
                same(mode, "maxUnavailable 0", Set.of("maxUnavailable"), FORGIVENESS, maxUnavailable(0)),
                same(
                        mode,
                        "maxConcurrentEvictions 0 of a workload",
                        Set.of("workloadConcurrent"),
                        FORGIVENESS,
                        workload()),
                same(
                        mode,
                        "maxEvictionsPerHour 0 of a workload",
                        Set.of("workloadPerHour"),
                        FORGIVENESS,
                        workloadPerHour()),
                moved(
                        "whenInfeasible Evict for the same rule, mode " + mode,
                        Set.of("whenInfeasible", "enforcement"),
                        same(mode, ALL, Optional.empty(), enforcement(mode, WhenInfeasible.EVICT), PLAIN)),
                moved(
                        "whenDomainAdded Rebalance for the same rule, mode " + mode,
                        Set.of("whenDomainAdded"),
                        same(
                                mode,
                                ALL,
                                Optional.empty(),
                                new Enforcement(mode, FORGIVENESS, WhenInfeasible.WAIT, WhenDomainAdded.REBALANCE),
                                PLAIN)),
                moved(
                        "the same rule only where possible, mode " + mode,
                        Set.of("whenRequired"),
                        same(mode, ALL, Optional.empty(), wherePossible(mode), PLAIN)),
                moved(
                        "the same rule for no pod, mode " + mode,
                        Set.of("pods"),
                        same(
                                mode,
                                matcher(app("none")),
                                Optional.empty(),
                                enforcement(mode, WhenInfeasible.WAIT),
                                PLAIN)),
                moved(
                        "the same rule for no node, mode " + mode,
                        Set.of("nodes"),
                        same(
                                mode,
                                ALL,
                                Optional.of(matcher(matchLabels("disk", "none"))),
                                enforcement(mode, WhenInfeasible.WAIT),
                                PLAIN)),
                moved(
                        "all rules of the pods' own specs with a closed window, mode " + mode,
                        Set.of("podRules"),
                        new Event.PolicyChanged(
                                PolicyDraft.of(PolicyId.namespaced("shop", "own"), mode)
                                        .pods(ALL)
                                        .podRules(Arrays.stream(RuleKind.values())
                                                .collect(Collectors.toMap(
                                                        kind -> kind, _ -> enforcement(mode, WhenInfeasible.WAIT))))
                                        .policy(),
                                closedWindow())));
    }

    /** {@return rules that close the only node that would take a pod} */
    private static Stream<Tenant> closingRules() {
        ClusterBuilder batch = cluster().pod("batch", on("n2"), replicaOf("batch"));
        return Stream.of(
                moved("a disabled policy", Set.of("mode"), own("shop", Mode.DISABLED, HDD)),
                moved("an audited rule for the only other disk", Set.of("rule", "rules"), own("shop", Mode.AUDIT, HDD)),
                new Tenant(
                        "an audited rule for the only other disk, injected",
                        Set.of("scheduling"),
                        List.of(),
                        List.of(),
                        List.of(injected(HDD)),
                        "held Contradicts",
                        MOVED_LATER,
                        MOVED),
                moved(
                        "an enforced rule for the only other disk, only where possible, injected",
                        Set.of("whenRequired"),
                        injected(HDD, wherePossible(Mode.ENFORCE))),
                new Tenant(
                        "an enforced rule for the only other disk",
                        Set.of("name"),
                        List.of(),
                        List.of(),
                        List.of(own("shop", Mode.ENFORCE, HDD)),
                        "held Contradicts",
                        MOVED_LATER,
                        MOVED),
                new Tenant(
                        "an audited rule to be apart from a pod of the only node",
                        Set.of(),
                        List.of(),
                        List.of(batch),
                        List.of(own("shop", Mode.AUDIT, APART)),
                        MOVED,
                        MOVED,
                        MOVED),
                new Tenant(
                        "an enforced rule to be apart from a pod of the only node",
                        Set.of(),
                        List.of(),
                        List.of(batch),
                        List.of(own("shop", Mode.ENFORCE, APART)),
                        "held Contradicts",
                        MOVED_LATER,
                        MOVED),
                new Tenant(
                        "no tenant but another cluster policy: an enforced rule for the only other disk",
                        Set.of(),
                        List.of(),
                        List.of(),
                        List.of(of(PolicyId.cluster("second"), Mode.ENFORCE, HDD)),
                        "held Contradicts",
                        "held Contradicts",
                        "held Contradicts"));
    }

    /** {@return an annotation of the pods themselves that closes the only node that would take one} */
    private static Stream<Tenant> annotationRules() {
        PodTrait hdd = annotatedRules(requiring("hdd", nodeTerm(expression("disk", "In", "hdd"))));
        PolicyId own = PolicyId.namespaced("shop", "own");
        PolicyId second = PolicyId.cluster("second");
        return Stream.of(
                carrying("no policy allows", List.of(), MOVED, MOVED, MOVED, hdd),
                carrying(
                        "its own auditing policy allows",
                        List.of(allowingAnnotations(own, app("web"), Mode.AUDIT)),
                        MOVED,
                        MOVED,
                        MOVED,
                        hdd),
                carrying(
                        "its own enforcing policy allows",
                        List.of(allowingAnnotations(own, app("web"), Mode.ENFORCE)),
                        "held Contradicts",
                        MOVED_LATER,
                        MOVED,
                        hdd),
                carrying(
                        "another cluster policy allows",
                        List.of(allowingAnnotations(second, app("web"), Mode.ENFORCE)),
                        "held Contradicts",
                        MOVED_LATER,
                        MOVED,
                        hdd),
                carrying(
                        "another cluster policy allows, and that is invalid",
                        List.of(allowingAnnotations(second, app("web"), Mode.ENFORCE)),
                        MOVED,
                        MOVED,
                        MOVED,
                        invalidRules("it is no JSON")));
    }

    private static Tenant carrying(
            String name, List<Event> policies, String honored, String capped, String ignored, PodTrait rules) {
        return new Tenant(
                "an annotation for the only other disk, which " + name,
                Set.of("annotationRules"),
                List.of(rules),
                List.of(),
                policies,
                honored,
                capped,
                ignored);
    }

    private static Event allowingAnnotations(PolicyId id, LabelSelector pods, Mode mode) {
        return new Event.PolicyChanged(PolicyDraft.of(id, mode)
                .pods(matcher(pods))
                .annotationRules(enforcement(mode, WhenInfeasible.WAIT))
                .policy());
    }

    /** {@return pods near the pod, more than one, whose rules its move would break} */
    private Stream<Tenant> bystanders() {
        return Stream.of(
                neighbours("audited rules of another tenant's pods", "other", Mode.AUDIT, MOVED),
                neighbours("enforced rules of another tenant's pods", "other", Mode.ENFORCE, MOVED),
                neighbours("audited rules of pods of its own namespace", "shop", Mode.AUDIT, MOVED),
                neighbours(
                        "enforced rules of pods of its own namespace", "shop", Mode.ENFORCE, "held TradesViolations"),
                traded(
                        "rules of another tenant's pods, which a cluster policy audits",
                        List.of(pods("other", near(nearWeb()))),
                        List.of(own(PolicyId.cluster("audit"), Mode.AUDIT)),
                        "held TradesViolations",
                        MOVED_LATER,
                        MOVED),
                traded(
                        "rules of another tenant's pods, which a cluster policy enforces",
                        List.of(pods("other", near(nearWeb()))),
                        List.of(own(PolicyId.cluster("audit"), Mode.ENFORCE)),
                        "held TradesViolations",
                        "held TradesViolations",
                        "held TradesViolations"),
                traded(
                        "annotations of another tenant's pods, which a cluster policy enforces",
                        List.of(pods(
                                "other",
                                annotatedRules(
                                        new AnnotationRules.NamedRule("near", new AnnotationRules.Near(nearWeb()))))),
                        List.of(allowingAnnotations(PolicyId.cluster("second"), app("near"), Mode.ENFORCE)),
                        "held TradesViolations",
                        MOVED_LATER,
                        MOVED),
                new Tenant(
                        "the required anti-affinity of another tenant's pod, which the scheduler obeys too",
                        Set.of(),
                        List.of(),
                        List.of(cluster()
                                .pod(
                                        "far",
                                        on("n2"),
                                        in("other"),
                                        replicaOf("far"),
                                        apartFrom(term(
                                                app("web"), HOSTNAME, namespaceSelector(LabelSelector.everything()))))),
                        List.of(),
                        "held Infeasible",
                        "held Infeasible",
                        "held Infeasible"));
    }

    private Stream<Tenant> annotationsAndLabels() {
        List<Tenant> rows = new ArrayList<>(List.of(
                pod(
                        "the annotation holdfast.dev/keep",
                        "held Kept",
                        MOVED_LATER,
                        MOVED,
                        annotated("holdfast.dev/keep", "true")),
                pod(
                        "the annotation holdfast.dev/keep-until",
                        "held Kept",
                        MOVED_LATER,
                        MOVED,
                        annotated("holdfast.dev/keep-until", "2027-11-20T13:00:00Z")),
                pod(
                        "the annotation holdfast.dev/forgiveness-seconds",
                        "forgiving",
                        MOVED_LATER,
                        MOVED,
                        annotated("holdfast.dev/forgiveness-seconds", "86400")),
                pod(
                        "the highest controller.kubernetes.io/pod-deletion-cost",
                        MOVED,
                        MOVED,
                        MOVED,
                        annotated("controller.kubernetes.io/pod-deletion-cost", "2147483647")),
                always("a mark as gang member", "held GangMember", gangMember()),
                always("the mark of a static pod", "held MirrorPod", mirror()),
                always(
                        "more labels than Holdfast reads",
                        enforced.rule().isPresent() ? "held TooComplex" : "no violation",
                        tooComplex("it has 300 labels")),
                always("without the label that the policy selects", "not selected", labels("app", "other")),
                always(
                        "the label cluster.x-k8s.io/drain=skip",
                        "held MarkedByOthers",
                        labels("cluster.x-k8s.io/drain", "skip"))));
        for (String mark : List.of(
                "cluster-autoscaler.kubernetes.io/safe-to-evict=false",
                "karpenter.sh/do-not-disrupt=true",
                "karpenter.sh/do-not-evict=true",
                "descheduler.alpha.kubernetes.io/prefer-no-eviction=true")) {
            String[] parts = mark.split("=");
            rows.add(always("the mark " + mark, "held MarkedByOthers", annotated(parts[0], parts[1])));
        }
        return rows.stream();
    }

    private static Stream<Tenant> otherObjects() {
        return Stream.of(
                        asking("the Deployment", annotations -> deploymentChanged("web", annotations)),
                        asking(
                                "the namespace",
                                annotations -> new ClusterEvent.NamespaceChanged(
                                        new Namespace("shop", 1, Labels.none(), annotations))),
                        Stream.of(acknowledging()),
                        Stream.of(labelOfNamespace(), budgetThatNeverAllows()))
                .flatMap(it -> it);
    }

    /** {@return what annotations of an object that is not a pod ask for the pods of the workload} */
    private static Stream<Tenant> asking(String whose, Function<DisruptionAnnotations, ClusterEvent> object) {
        return Stream.of(
                asking("keep", "true", "held Kept", whose, object),
                asking("keep-until", "2027-11-20T13:00:00Z", "held Kept", whose, object),
                asking("forgiveness-seconds", "86400", "forgiving", whose, object));
    }

    private static Tenant asking(
            String key,
            String value,
            String honored,
            String whose,
            Function<DisruptionAnnotations, ClusterEvent> object) {
        return new Tenant(
                "the annotation holdfast.dev/" + key + " of " + whose,
                Set.of(),
                List.of(),
                List.of(cluster().with(object.apply(marks("holdfast.dev/" + key, value)))),
                List.of(),
                honored,
                MOVED_LATER,
                MOVED);
    }

    private static Tenant acknowledging() {
        PolicyId own = PolicyId.namespaced("shop", "own");
        return new Tenant(
                "the annotation holdfast.dev/acknowledge of a policy and of the namespace",
                Set.of(),
                List.of(),
                List.of(cluster()
                        .with(new ClusterEvent.NamespaceChanged(new Namespace(
                                "shop", 1, Labels.none(), marks("holdfast.dev/acknowledge", "pods-1,platform-1"))))),
                List.of(new Event.PolicyAcknowledged(own, Set.of("pods-1", "platform-1"))),
                MOVED,
                MOVED,
                MOVED);
    }

    private static Tenant labelOfNamespace() {
        return object(
                "a label of the namespace",
                MOVED,
                cluster().with(namespaceChanged("shop", labels("team", "shop", "more", "yes"))));
    }

    private static Tenant budgetThatNeverAllows() {
        return object(
                "a budget that never allows a disruption",
                "held DisruptionBudgetNeverAllows",
                cluster().with(budgetNeverAllows("never", app("web"))));
    }

    private static Tenant object(String name, String outcome, ClusterBuilder objects) {
        return new Tenant(name, Set.of(), List.of(), List.of(objects), List.of(), outcome, outcome, outcome);
    }

    private static Tenant always(String name, String outcome, PodTrait trait) {
        return pod(name, outcome, outcome, outcome, trait);
    }

    private static Tenant pod(String name, String honored, String capped, String ignored, PodTrait trait) {
        return new Tenant(name, Set.of(), List.of(trait), List.of(), List.of(), honored, capped, ignored);
    }

    private Tenant neighbours(String name, String namespace, Mode mode, String ignored) {
        return traded(
                name,
                List.of(pods(namespace, _ -> {})),
                List.of(of(PolicyId.namespaced(namespace, "own"), matcher(app("near")), mode, NEAR_WEB)),
                "held TradesViolations",
                ignored.equals(MOVED) ? MOVED_LATER : ignored,
                ignored);
    }

    /** {@return a row about pods that must be near any pod web: they stay near the others of a spread} */
    private Tenant traded(
            String name,
            List<ClusterBuilder> objects,
            List<Event> policies,
            String honored,
            String capped,
            String ignored) {
        return enforced.pods() == 1
                ? new Tenant(name, Set.of(), List.of(), objects, policies, honored, capped, ignored)
                : new Tenant(name, Set.of(), List.of(), objects, policies, MOVED, MOVED, MOVED);
    }

    private static PodAffinityTerm nearWeb() {
        return term(matchLabels("app", "web"), HOSTNAME, namespaceSelector(LabelSelector.everything()));
    }

    private static ClusterBuilder pods(String namespace, PodTrait trait) {
        return cluster()
                .pod("near-1", on("n1"), in(namespace), replicaOf("near"), trait)
                .pod("near-2", on("n1"), in(namespace), replicaOf("near"), trait)
                .pod("near-3", on("n1"), in(namespace), replicaOf("near"), trait);
    }

    private Tenant same(Mode mode, String what, Set<String> fields, Duration forgiveness, DisruptionControls controls) {
        return moved(
                "the same rule with " + what + ", mode " + mode,
                fields,
                same(mode, ALL, Optional.empty(), new Enforcement(mode, forgiveness, WhenInfeasible.WAIT), controls));
    }

    private Event same(
            Mode mode,
            LabelMatcher pods,
            Optional<LabelMatcher> nodes,
            Enforcement enforcement,
            DisruptionControls controls) {
        return new Event.PolicyChanged(
                new Policy(
                        PolicyId.namespaced("shop", "own"),
                        1,
                        mode,
                        pods,
                        nodes,
                        Optional.empty(),
                        enforced.podRules(enforcement),
                        enforced.rules(enforcement)),
                controls);
    }

    private static Enforcement enforcement(Mode mode, WhenInfeasible whenInfeasible) {
        return new Enforcement(mode, FORGIVENESS, whenInfeasible);
    }

    private static Event own(String namespace, Mode mode, Rule rule) {
        return of(PolicyId.namespaced(namespace, "own"), mode, rule);
    }

    /** {@return a policy for the rules of the pods' own specs} */
    private static Event own(PolicyId id, Mode mode) {
        return new Event.PolicyChanged(PolicyDraft.of(id, mode)
                .pods(matcher(app("near")))
                .podRules(Map.of(RuleKind.POD_AFFINITY, enforcement(mode, WhenInfeasible.WAIT)))
                .policy());
    }

    private static Event of(PolicyId id, Mode mode, Rule rule) {
        return of(id, matcher(app("web")), mode, rule);
    }

    private static Event of(PolicyId id, LabelMatcher pods, Mode mode, Rule rule) {
        return new Event.PolicyChanged(PolicyDraft.of(id, mode)
                .pods(pods)
                .rule("own", rule, enforcement(mode, WhenInfeasible.WAIT))
                .policy());
    }

    private static Enforcement wherePossible(Mode mode) {
        return new Enforcement(
                mode,
                FORGIVENESS,
                WhenInfeasible.WAIT,
                WhenDomainAdded.HOLD,
                VictimChoice.RULE_OWNER,
                WhenRequired.POSSIBLE_AT_SCHEDULING);
    }

    private static Event injected(Rule rule) {
        return injected(rule, enforcement(Mode.AUDIT, WhenInfeasible.WAIT));
    }

    private static Event injected(Rule rule, Enforcement enforcement) {
        return new Event.PolicyChanged(PolicyDraft.of(PolicyId.namespaced("shop", "own"), enforcement.mode())
                .pods(matcher(app("web")))
                .rule("own", rule, enforcement)
                .scheduling(PolicyScheduling.INJECT)
                .policy());
    }

    private static Tenant moved(String name, Set<String> fields, Event policy) {
        return new Tenant(name, fields, List.of(), List.of(), List.of(policy), MOVED, MOVED, MOVED);
    }

    private static DisruptionControls limits(PolicyLimits limits) {
        return ControlsDraft.plain().limits(limits).controls();
    }

    private static DisruptionControls concurrent(int most) {
        return limits(new PolicyLimits(
                OptionalInt.of(most),
                NONE.perHour(),
                0,
                NONE.workloadConcurrent(),
                NONE.workloadPerHour(),
                NONE.maxUnavailable()));
    }

    private static DisruptionControls perHour(int most) {
        return limits(new PolicyLimits(
                NONE.concurrent(),
                OptionalInt.of(most),
                0,
                NONE.workloadConcurrent(),
                NONE.workloadPerHour(),
                NONE.maxUnavailable()));
    }

    private static DisruptionControls minReplicas(int least) {
        return limits(new PolicyLimits(
                NONE.concurrent(),
                NONE.perHour(),
                least,
                NONE.workloadConcurrent(),
                NONE.workloadPerHour(),
                NONE.maxUnavailable()));
    }

    private static DisruptionControls maxUnavailable(int most) {
        return limits(new PolicyLimits(
                NONE.concurrent(),
                NONE.perHour(),
                0,
                NONE.workloadConcurrent(),
                NONE.workloadPerHour(),
                new MaxUnavailable.Pods(most)));
    }

    private static DisruptionControls workload() {
        return limits(new PolicyLimits(
                NONE.concurrent(),
                NONE.perHour(),
                0,
                OptionalInt.of(0),
                NONE.workloadPerHour(),
                NONE.maxUnavailable()));
    }

    private static DisruptionControls workloadPerHour() {
        return limits(new PolicyLimits(
                NONE.concurrent(),
                NONE.perHour(),
                0,
                NONE.workloadConcurrent(),
                new HourlyWorkloadLimit.Pods(0),
                NONE.maxUnavailable()));
    }

    private static DisruptionControls allowing(Reason reason) {
        return ControlsDraft.plain().allowed(Set.of(reason)).limits(NONE).controls();
    }

    private static DisruptionControls trusting(LabelSelector namespaces) {
        return ControlsDraft.plain().trusting(matcher(namespaces)).limits(NONE).controls();
    }

    private static DisruptionControls closedWindow() {
        return ControlsDraft.plain()
                .windows(List.of(new MaintenanceWindow(
                        "all-day",
                        MaintenanceWindow.Action.DENY,
                        everyMidnight(),
                        Duration.ofHours(24),
                        ZoneOffset.UTC)))
                .limits(NONE)
                .controls();
    }

    private static CronSchedule everyMidnight() {
        return switch (CronSchedule.of("0 0 * * *")) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) -> it;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new IllegalArgumentException(why);
        };
    }

    private static DisruptionControls exception() {
        return ControlsDraft.plain()
                .exceptions(List.of(new DisruptionControls.StandingException("mine", ALL, Optional.empty(), "mine")))
                .limits(NONE)
                .controls();
    }
}

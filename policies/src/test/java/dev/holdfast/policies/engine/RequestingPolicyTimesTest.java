package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When may the first pod go, and how many, if a second policy comes or is widened while a first one holds the same
 * violations? Each policy counts its own forgiveness from its own edit, and its own backlog, whatever the other holds.
 *
 * <p>Pods {@code web-1}, {@code web-2} and so on, each of its own workload, have been on a wrong node for ten minutes.
 * The second policy forgives 20 s.
 */
class RequestingPolicyTimesTest {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration FORGIVENESS = Duration.ofSeconds(20);
    private static final Policy SECOND = enforcing("second", FORGIVENESS);

    /** The first policy, with the events that create it. */
    record First(String name, List<Event> events) {}

    /**
     * An edit of the second policy: what it was before, if it existed, and the event of the edit.
     *
     * @param demand what the pods demand of their node, and what is broken for them
     */
    record Edit(String name, List<Event> before, Event edit, PodTrait demand) {
        Edit(String name, List<Event> before, Event edit) {
            this(name, before, edit, nodeSelector("disk", "ssd"));
        }
    }

    /** The demand of pods beside a noisy pod of namespace {@code data}, which only a policy that trusts it acts on. */
    private static final PodTrait APART_FROM_NOISY =
            apartFrom(term(app("noisy"), HOSTNAME, namespaceSelector(LabelSelector.everything())));

    private static final DisruptionControls NOTHING_AT_ONCE = controls(
            List.of(),
            List.of(),
            new PolicyLimits(
                    OptionalInt.of(0),
                    OptionalInt.empty(),
                    0,
                    OptionalInt.empty(),
                    new HourlyWorkloadLimit.Unlimited(),
                    new MaxUnavailable.Unlimited()));

    private static final DisruptionControls DENYING = controls(
            List.of(new MaintenanceWindow(
                    "all-day", MaintenanceWindow.Action.DENY, everyMidnight(), Duration.ofDays(1), ZoneOffset.UTC)),
            List.of(),
            PolicyLimits.none());

    private static final DisruptionControls EXCEPTING = controls(
            List.of(),
            List.of(new DisruptionControls.StandingException(
                    "failover", matcher(LabelSelector.everything()), Optional.empty(), "failover planned")),
            PolicyLimits.none());

    private static DisruptionControls controls(
            List<MaintenanceWindow> windows,
            List<DisruptionControls.StandingException> exceptions,
            PolicyLimits limits) {
        return ControlsDraft.plain()
                .windows(windows)
                .exceptions(exceptions)
                .limits(limits)
                .controls();
    }

    private static DisruptionControls trusting(LabelSelector namespaces) {
        return ControlsDraft.plain().trusting(matcher(namespaces)).controls();
    }

    private static CronSchedule everyMidnight() {
        return switch (CronSchedule.of("0 0 * * *")) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) -> it;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new IllegalArgumentException(why);
        };
    }

    private static List<First> firsts() {
        Policy first = enforcing("first", Duration.ofSeconds(60));
        return List.of(
                new First("is held by a window", List.of(new Event.PolicyChanged(first, DENYING))),
                new First("is held by an exception", List.of(new Event.PolicyChanged(first, EXCEPTING))),
                new First("is held by its limit", List.of(new Event.PolicyChanged(first, NOTHING_AT_ONCE))),
                new First("forgives longer", List.of(new Event.PolicyChanged(enforcing("first", Duration.ofDays(2))))),
                new First(
                        "audits",
                        List.of(new Event.PolicyChanged(
                                policy("first", Mode.AUDIT, Duration.ofSeconds(60), WhenInfeasible.WAIT)))));
    }

    private static List<Edit> edits() {
        Policy audit = policy("second", Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT);
        Event plain = new Event.PolicyChanged(SECOND);
        return List.of(
                new Edit("is created", List.of(), plain),
                new Edit("selects more pods", List.of(new Event.PolicyChanged(over(app("none"), SECOND))), plain),
                new Edit("gets the rule", List.of(new Event.PolicyChanged(forSpreadsOnly())), plain),
                new Edit("enforces instead of auditing", List.of(new Event.PolicyChanged(audit)), plain),
                new Edit(
                        "forgives less",
                        List.of(new Event.PolicyChanged(enforcing("second", Duration.ofDays(2)))),
                        plain),
                new Edit("loses its window", List.of(new Event.PolicyChanged(SECOND, DENYING)), plain),
                new Edit("loses its exception", List.of(new Event.PolicyChanged(SECOND, EXCEPTING)), plain),
                new Edit("loses its limit of none", List.of(new Event.PolicyChanged(SECOND, NOTHING_AT_ONCE)), plain),
                new Edit(
                        "trusts the namespace of the cause",
                        List.of(plain),
                        new Event.PolicyChanged(SECOND, trusting(matchLabels("team", "data"))),
                        APART_FROM_NOISY),
                new Edit(
                        "trusts all namespaces instead of one",
                        List.of(new Event.PolicyChanged(SECOND, trusting(matchLabels("team", "web")))),
                        new Event.PolicyChanged(SECOND, trusting(LabelSelector.everything())),
                        APART_FROM_NOISY));
    }

    private static Policy forSpreadsOnly() {
        return new Policy(
                SECOND.id(),
                1,
                SECOND.mode(),
                SECOND.pods(),
                SECOND.nodes(),
                SECOND.namespaces(),
                Map.of(
                        RuleKind.TOPOLOGY_SPREAD,
                        SECOND.podRules().entrySet().iterator().next().getValue()),
                List.of());
    }

    static Stream<Arguments> rows() {
        return firsts().stream()
                .flatMap(first -> edits().stream()
                        .map(edit -> argumentSet(
                                "the first policy " + first.name() + ", and the second " + edit.name(), first, edit)));
    }

    private static EngineScenario begin(int pods, First first, Edit edit) {
        ClusterBuilder facts = cluster()
                .namespace("data", labels("team", "data"))
                .node("n1", labels("disk", "hdd", HOSTNAME, "n1"))
                .node("spare", labels("disk", "ssd", HOSTNAME, "spare"))
                .pod("noisy", in("data"), on("n1"), labels("app", "noisy"));
        for (int i = 1; i <= pods; i++) {
            facts.replicaSet("web-" + i, 1).pod("web-" + i, on("n1"), replicaOf("web-" + i), edit.demand());
        }
        EngineScenario engineScenario = EngineScenario.begin(facts).replacingOn("spare");
        first.events().forEach(engineScenario::event);
        edit.before().forEach(engineScenario::event);
        engineScenario.after(TEN_MINUTES);
        assertThat(engineScenario.requests).isEmpty();
        return engineScenario;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theFirstPodGoesOneForgivenessOfTheSecondPolicyAfterItsEdit(First first, Edit edit) {
        EngineScenario engineScenario = begin(3, first, edit).event(edit.edit()).afterSeconds(19);
        assertThat(engineScenario.requests).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.requests)
                .isNotEmpty()
                .extracting(request -> request.policy())
                .containsOnly(SECOND.id());
        assertThat(engineScenario.after(TEN_MINUTES).evicted()).containsExactlyInAnyOrder("web-1", "web-2", "web-3");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void ofMoreThanTenPodsNoneGoesBeforeAUserAcknowledgesTheBacklogOfTheSecondPolicy(First first, Edit edit) {
        EngineScenario engineScenario =
                begin(12, first, edit).event(edit.edit()).after(TEN_MINUTES);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.report(SECOND).backlog()).isPresent();
    }

    @Test
    void theStatusOfEachPolicyShowsItsOwnHold() {
        Policy first = enforcing("first", Duration.ofSeconds(60));
        EngineScenario engineScenario = begin(
                        1,
                        new First("is held by a window", List.of(new Event.PolicyChanged(first, DENYING))),
                        new Edit("", List.of(), new Event.PolicyChanged(SECOND)))
                .event(new Event.PolicyChanged(SECOND, NOTHING_AT_ONCE))
                .after(TEN_MINUTES);

        assertThat(engineScenario.report(first).holds()).isEqualTo(Map.of(Reason.WINDOW_CLOSED, 1));
        assertThat(engineScenario.report(SECOND).holds()).isEqualTo(Map.of(Reason.POLICY_LIMIT, 1));
        assertThat(engineScenario.holds()).containsExactly(Reason.WINDOW_CLOSED);
    }

    @Test
    void theFirstPolicyGoesOnShowingItsWindowWhileTheSecondHasABacklog() {
        Policy first = enforcing("first", Duration.ofSeconds(60));
        EngineScenario engineScenario = begin(
                        12,
                        new First("is held by a window", List.of(new Event.PolicyChanged(first, DENYING))),
                        new Edit("", List.of(), new Event.PolicyChanged(SECOND)))
                .event(new Event.PolicyChanged(SECOND))
                .after(Duration.ofHours(2));

        assertThat(engineScenario.report(first).holds()).isEqualTo(Map.of(Reason.WINDOW_CLOSED, 12));
        assertThat(engineScenario.report(SECOND).holds()).isEqualTo(Map.of(Reason.POLICY_BACKLOG, 12));
    }
}

package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.alsoAsking;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.inNamespaces;
import static dev.holdfast.policies.engine.TestPolicies.insisting;
import static dev.holdfast.policies.engine.TestPolicies.onNodes;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.Cause.LabelChange;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests edits of policies: after one, a full forgiveness passes before an eviction. Several policies with the same rule
 * share one violation.
 */
class PolicyEditsTest {
    private static final Pod WEB = pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));

    private static EngineScenario broken(Policy... policies) {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .with(new PodChanged(WEB)),
                policies);
    }

    private static Duration minutes(int minutes) {
        return Duration.ofMinutes(minutes);
    }

    @Test
    void aPolicyDeletedInsideTheWindowEndsItsViolations() {
        EngineScenario engineScenario = broken(enforcing()).afterSeconds(30);

        engineScenario.event(new Event.PolicyRemoved(enforcing().id())).after(minutes(10));

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.events()).containsExactly("Started web-1", "Ended web-1 NOT_REQUESTED");
    }

    @Test
    void aPolicyDeletedAndMadeAgainWithinASecondIsReportedAgainEvenIfNothingChanged() {
        EngineScenario engineScenario = EngineScenario.begin(cluster(), enforcing());
        PolicyReport before = engineScenario.report(enforcing());
        engineScenario.reports.clear();

        engineScenario.event(new Event.PolicyRemoved(enforcing().id())).event(new Event.PolicyChanged(enforcing()));
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.reports).isEqualTo(Map.of(enforcing().id(), before));
    }

    @Test
    void aPolicyDisabledInsideTheWindowEndsItsViolations() {
        EngineScenario engineScenario = broken(enforcing()).afterSeconds(30);

        engineScenario
                .event(new Event.PolicyChanged(policy("web", Mode.DISABLED, FORGIVENESS, WhenInfeasible.WAIT)))
                .after(minutes(10));

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.events()).containsExactly("Started web-1", "Ended web-1 NOT_REQUESTED");
    }

    @Test
    void fromAuditToEnforceTheClockStartsAtTheEdit() {
        EngineScenario engineScenario = broken(auditing()).after(minutes(30));

        engineScenario.event(new Event.PolicyChanged(enforcing())).afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.requests.getFirst().since())
                .as("broken since")
                .isEqualTo(EngineScenario.START);
    }

    @Test
    void aCeilingThatIsRaisedStartsTheClockOfWhatItAllows() {
        EngineScenario engineScenario = broken(enforcing())
                .event(new Event.ModeCapped(Mode.AUDIT, "the right to evict is missing"))
                .after(minutes(30));

        engineScenario
                .event(new Event.ModeCapped(Mode.ENFORCE, "the right was granted"))
                .afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aShorterForgivenessCountsFromTheEdit() {
        EngineScenario engineScenario = broken(enforcing("web", minutes(60))).after(minutes(30));

        engineScenario.event(new Event.PolicyChanged(enforcing())).afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    private static Event edited(Policy policy) {
        return new Event.PolicyChanged(policy);
    }

    @Test
    void aFasterPolicyBesideASlowerOneEvictsAfterItsOwnForgivenessFromTheEdit() {
        EngineScenario engineScenario = broken(enforcing("slow", minutes(10))).after(minutes(5));

        engineScenario.event(edited(enforcing("fast", minutes(1)))).afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.requests)
                .extracting(it -> it.policy())
                .containsExactly(enforcing("fast", minutes(1)).id());
    }

    @Test
    void aSlowerPolicyBesideAFasterOneDelaysNothing() {
        EngineScenario engineScenario = broken(enforcing("fast", minutes(1))).afterSeconds(30);

        engineScenario.event(edited(enforcing("slow", minutes(10)))).afterSeconds(30);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void eachPolicyReportsItsOwnDeadlineAndState() {
        Policy fast = everywhere(enforcing("fast", minutes(1)));
        Policy slow = enforcing("slow", minutes(10));
        EngineScenario engineScenario = broken(fast, slow)
                .happens(nodeChanged("n2", labels("disk", "hdd")))
                .after(minutes(2));

        assertThat(engineScenario.report(fast).violations())
                .containsOnlyKeys(new PolicyReport.RuleState("NodeAffinity", ViolationState.HELD));
        assertThat(engineScenario.report(fast).nextDeadline()).isEmpty();
        assertThat(engineScenario.report(slow).violations())
                .containsOnlyKeys(new PolicyReport.RuleState("NodeAffinity", ViolationState.FORGIVING));
        assertThat(engineScenario.report(slow).nextDeadline()).contains(EngineScenario.START.plus(minutes(10)));
        engineScenario.after(minutes(8));
        assertThat(engineScenario.report(slow).violations())
                .containsOnlyKeys(new PolicyReport.RuleState("NodeAffinity", ViolationState.HELD));
    }

    static Stream<Arguments> insistence() {
        return Stream.of(
                argumentSet("the policy is edited", insisting("web")),
                argumentSet("another policy is added", insisting("insisting")));
    }

    @ParameterizedTest
    @MethodSource("insistence")
    void fromWaitToEvictWhereNoNodeWouldTakeThePodTheWaitIsFromTheEdit(Policy insisting) {
        EngineScenario engineScenario = broken(enforcing())
                .happens(nodeChanged("n2", labels("disk", "hdd")))
                .afterSeconds(600);
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.INFEASIBLE, 1));

        engineScenario.event(edited(insisting)).afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void anEditThatGoesNoFurtherDelaysNothing() {
        EngineScenario engineScenario = broken(insisting("web")).afterSeconds(30);

        engineScenario.event(edited(enforcing())).afterSeconds(30);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void anEditAfterGenerationsThatTheEngineDidNotGetIsForgivenFromTheBeginning() {
        EngineScenario engineScenario = broken(enforcing()).afterSeconds(59);

        // A generation in between may have been Disabled.
        engineScenario
                .event(new Event.PolicyChanged(TestPolicies.edited(enforcing())).skipping())
                .afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void generationsOfOnePolicyThatTheEngineDidNotGetDelayNoOtherPolicy() {
        EngineScenario engineScenario =
                broken(enforcing(), enforcing("other", FORGIVENESS)).afterSeconds(59);

        engineScenario.event(new Event.PolicyChanged(enforcing()).skipping()).afterSeconds(1);

        assertThat(engineScenario.requests)
                .extracting(it -> it.policy())
                .containsExactly(enforcing("other", FORGIVENESS).id());
    }

    @Test
    void aLongerForgivenessAppliesAtOnce() {
        EngineScenario engineScenario = broken(enforcing()).afterSeconds(30);

        engineScenario
                .event(new Event.PolicyChanged(enforcing("web", minutes(10))))
                .after(minutes(9));

        assertThat(engineScenario.requests).isEmpty();
    }

    @Test
    void aNewPolicyGivesPolicyChangedAsTheCause() {
        EngineScenario engineScenario = broken();

        engineScenario.event(new Event.PolicyChanged(enforcing()));

        assertThat(engineScenario.told.getFirst().violation().cause())
                .isEqualTo(new Cause.PolicyChanged(PolicyId.namespaced("shop", "web")));
    }

    static Stream<Arguments> changesThatBringAPodUnderAPolicy() {
        Policy ofWatched = over(matchLabels("watched", "yes"), enforcing());
        LabelChange watched = new LabelChange("watched", Optional.empty(), Optional.of("yes"));
        return Stream.of(
                argumentSet(
                        "the labels of the pod",
                        ofWatched,
                        podChanged("web-1", like(WEB), labels("watched", "yes")),
                        new Cause.PodLabelChanged(WEB.name(), watched)),
                argumentSet(
                        "the labels of its node",
                        onNodes(matchLabels("watched", "yes"), enforcing()),
                        nodeChanged("n1", labels("disk", "hdd", "watched", "yes")),
                        new Cause.NodeLabelChanged("n1", watched)),
                argumentSet(
                        "the labels of its namespace",
                        inNamespaces(matchLabels("watched", "yes"), everywhere(enforcing())),
                        namespaceChanged("shop", labels("watched", "yes")),
                        new Cause.NamespaceLabelChanged("shop", watched)));
    }

    @ParameterizedTest
    @MethodSource("changesThatBringAPodUnderAPolicy")
    void whatBringsAPodUnderAPolicyIsTheCause(Policy policy, ClusterEvent change, Cause cause) {
        EngineScenario engineScenario = broken(policy).happens(namespaceChanged("shop", labels()));
        assertThat(engineScenario.told).isEmpty();

        engineScenario.happens(change);

        assertThat(engineScenario.told).extracting(it -> it.violation().cause()).containsExactly(cause);
    }

    @Test
    void ofTwoEnforcingPoliciesWithTheSameRuleTheFirstThatIsDueEvictsAndItIsOneViolation() {
        EngineScenario engineScenario = broken(enforcing("fast", minutes(1)), enforcing("slow", minutes(5)));

        engineScenario.afterSeconds(59);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.events().stream().filter("Started web-1"::equals))
                .hasSize(1);
    }

    /** The example of docs/several-policies.md. */
    @Test
    void ofPoliciesWithOneRuleEachEnforcingOneCountsItsOwnForgiveness() {
        Policy audit = everywhere(policy("audit", Mode.AUDIT, minutes(60), WhenInfeasible.WAIT));
        Policy platform = everywhere(enforcing("platform", minutes(10)));
        Policy web = policy("web", Mode.ENFORCE, minutes(2), WhenInfeasible.EVICT);
        EngineScenario engineScenario = broken(web, platform, audit).happens(nodeChanged("n2", labels("disk", "hdd")));

        engineScenario.after(minutes(2).minusSeconds(1));
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.requests).extracting(it -> it.policy()).containsExactly(web.id());
    }

    @Test
    void anAuditWithALongerForgivenessDoesNotSlowDownAPolicyThatEnforces() {
        Policy slowAudit = policy("slow", Mode.AUDIT, minutes(60), WhenInfeasible.WAIT);

        EngineScenario engineScenario = broken(enforcing(), slowAudit).after(minutes(1));

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPolicyThatAsksForOneRuleByItsKindAndByNameCountsOneViolation() {
        Policy twice = alsoAsking(
                "ssd",
                nodeSelectorRule("disk", "ssd"),
                new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT),
                auditing());

        EngineScenario engineScenario = broken(twice).afterSeconds(1);

        assertThat(engineScenario.report(twice).violations())
                .isEqualTo(Map.of(new PolicyReport.RuleState("ssd", ViolationState.FORGIVING), 1));
        assertThat(engineScenario.report(twice).oldest()).hasSize(1);
    }

    @Test
    void withoutAnyPolicyNothingIsWatched() {
        EngineScenario engineScenario = broken().after(minutes(60));

        assertThat(engineScenario.told).isEmpty();
    }
}

package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.LeastCount;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the message of each Kubernetes event, ten minutes and two seconds after the start of the violation. */
class EventMessageTest {
    private static final Instant NOW = Samples.SINCE.plus(Duration.ofSeconds(602));

    static Stream<Arguments> told() {
        return Stream.of(
                argumentSet(
                        "a violation names the cause, the breach, the deadline and what would heal it",
                        new Notification.Started(Samples.violation()),
                        EventReason.PLACEMENT_VIOLATED,
                        "Rule ssd (disk In [ssd]) broken since label disk of node node-12 changed ssd -> hdd: node-12"
                            + " does not match disk In [ssd]: it has disk=hdd. Due for eviction at"
                            + " 2026-11-20T15:42:08Z (forgiveness 10m0s) unless node-12 matches disk In [ssd]; policy"
                            + " shop/web."),
                argumentSet(
                        "a violation in Audit says would",
                        new Notification.Started(Samples.audited()),
                        EventReason.PLACEMENT_VIOLATED,
                        "Rule ssd (disk In [ssd]) broken since label disk of node node-12 changed ssd -> hdd: node-12"
                            + " does not match disk In [ssd]: it has disk=hdd. Would be due for eviction at"
                            + " 2026-11-20T15:42:08Z (forgiveness 10m0s) unless node-12 matches disk In [ssd]; policy"
                            + " shop/web (Audit)."),
                argumentSet(
                        "a violation that will certainly be held says so at its start",
                        new Notification.Started(Samples.daemon()),
                        EventReason.PLACEMENT_VIOLATED,
                        "Rule ssd (disk In [ssd]) broken since label disk of node node-12 changed ssd -> hdd: node-12"
                            + " does not match disk In [ssd]: it has disk=hdd. Due at 2026-11-20T15:42:08Z"
                            + " (forgiveness 10m0s), then held (DaemonSetPod), unless node-12 matches disk In [ssd];"
                            + " policy shop/web."),
                argumentSet(
                        "a violation of an injected rule that is left out of the pod says why",
                        new Notification.Started(Samples.leftOut()),
                        EventReason.PLACEMENT_VIOLATED,
                        "Rule ssd (disk In [ssd]) broken since label disk of node node-12 changed ssd -> hdd: node-12"
                                + " does not match disk In [ssd]: it has disk=hdd. Due for eviction at"
                                + " 2026-11-20T15:42:08Z (forgiveness 10m0s) unless node-12 matches disk In [ssd]; not"
                                + " injected (TooManyNodeValues): the pod's node affinity would have more than 150"
                                + " requirements and values; policy shop/web."),
                argumentSet(
                        "healing says that the pod was not touched",
                        new Notification.Ended(Samples.violation(), End.HEALED),
                        EventReason.PLACEMENT_HEALED,
                        "Rule ssd (disk In [ssd]) holds again after 10m2s; the pod was not touched; policy shop/web."),
                argumentSet(
                        "an invalid annotation is named with what is allowed",
                        new Notification.AnnotationIgnored(
                                Samples.violation(),
                                "holdfast.dev/keep must be \"true\" or \"false\", got \"yes\", of the pod"),
                        EventReason.PLACEMENT_ANNOTATION_IGNORED,
                        "Annotation ignored: holdfast.dev/keep must be \"true\" or \"false\", got \"yes\", of the"
                                + " pod."),
                argumentSet(
                        "Audit would evict, and names a node that would take the pod",
                        new Notification.WouldEvict(Samples.audited(), Optional.of("node-7")),
                        EventReason.PLACEMENT_WOULD_EVICT,
                        "Would evict from node-12: rule ssd (disk In [ssd]) broken since label disk of node node-12"
                                + " changed ssd -> hdd 10m2s ago; forgiveness 10m0s; node-7 would take the pod; policy"
                                + " shop/web (Audit)."),
                argumentSet(
                        "evicting says why",
                        new Notification.Evicting(Samples.violation(), "p1", Optional.empty()),
                        EventReason.PLACEMENT_EVICTING,
                        "Evicting from node-12: rule ssd (disk In [ssd]) broken since label disk of node node-12"
                                + " changed ssd -> hdd 10m2s ago; forgiveness 10m0s; policy shop/web."),
                argumentSet(
                        "evicting names a node that would take it",
                        new Notification.Evicting(Samples.violation(), "p1", Optional.of("node-7")),
                        EventReason.PLACEMENT_EVICTING,
                        "Evicting from node-12: rule ssd (disk In [ssd]) broken since label disk of node node-12"
                                + " changed ssd -> hdd 10m2s ago; forgiveness 10m0s; node-7 would take the pod; policy"
                                + " shop/web."),
                argumentSet(
                        "evicted says the same",
                        new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted()),
                        EventReason.PLACEMENT_EVICTED,
                        "Evicted from node-12: rule ssd (disk In [ssd]) broken since label disk of node node-12 changed"
                                + " ssd -> hdd 10m2s ago; forgiveness 10m0s; policy shop/web."),
                argumentSet(
                        "a hold names the blocker and the next try",
                        new Notification.Held(Samples.violation(), Samples.budget(NOW)),
                        EventReason.PLACEMENT_EVICTION_BLOCKED,
                        "Not evicting from node-12 (DisruptionBudget): PodDisruptionBudget shop/web allows no"
                                + " disruption; wait until all pods of the budget are Ready, repair them, or loosen the"
                                + " budget; next try in 30s; rule ssd (disk In [ssd]) broken since label disk of node"
                                + " node-12 changed ssd -> hdd 10m2s ago; forgiveness 10m0s; policy shop/web."),
                argumentSet(
                        "a hold in Audit, until something changes",
                        new Notification.Held(
                                Samples.audited(),
                                Hold.untilChange(Reason.INFEASIBLE, "no other node matches disk In [ssd]")),
                        EventReason.PLACEMENT_EVICTION_BLOCKED,
                        "Would not evict from node-12 (Infeasible): no other node matches disk In [ssd]; make room on"
                            + " a node that fits: free, label, uncordon or add one; next try when the cause of the"
                            + " hold changes; rule ssd (disk In [ssd]) broken since label disk of node node-12 changed"
                            + " ssd -> hdd 10m2s ago; forgiveness 10m0s; policy shop/web (Audit)."),
                argumentSet(
                        "Audit would evict a conflicting pod of lower priority",
                        new Notification.WouldEvict(Samples.insteadOf(), Optional.of("node-7")),
                        EventReason.PLACEMENT_WOULD_EVICT,
                        "Would evict pod data/batch-1, whose priority is lower, from node-13: rule ssd (disk In [ssd])"
                                + " broken since label disk of node node-12 changed ssd -> hdd 10m2s ago; forgiveness"
                                + " 10m0s; node-7 would take the pod; policy shop/web."),
                argumentSet(
                        "evicting a conflicting pod names the rule owner",
                        new Notification.Evicting(Samples.insteadOf(), "p1", Optional.empty()),
                        EventReason.PLACEMENT_EVICTING,
                        "Evicting from node-13: rule ssd (disk In [ssd]) of shop/web-1, whose priority is higher,"
                                + " broken since label disk of node node-12 changed ssd -> hdd 10m2s ago; forgiveness"
                                + " 10m0s; policy shop/web."),
                argumentSet(
                        "a conflicting pod has moved",
                        moved(Samples.insteadOf(), Outcome.MOVED, Optional.of("node-7")),
                        EventReason.PLACEMENT_MOVED,
                        "Moved from node-13 to node-7 within 12s: the replacement does not violate rule ssd (disk In"
                                + " [ssd]) of shop/web-1; policy shop/web."),
                argumentSet(
                        "the replacement of a conflicting pod conflicts again",
                        moved(Samples.insteadOf(), Outcome.BROKEN_AGAIN, Optional.of("node-12")),
                        EventReason.PLACEMENT_EVICTION_FUTILE,
                        "Moving from node-13 to node-12 did not help: 12s after the eviction the replacement is ready"
                                + " and breaks rule ssd (disk In [ssd]) of shop/web-1, whose priority is higher, again;"
                                + " policy shop/web."),
                argumentSet(
                        "moved names both nodes",
                        moved(Outcome.MOVED, Optional.of("node-7")),
                        EventReason.PLACEMENT_MOVED,
                        "Moved from node-12 to node-7 within 12s: rule ssd (disk In [ssd]) holds; policy shop/web."),
                argumentSet(
                        "a replacement that breaks the rule again",
                        moved(Outcome.BROKEN_AGAIN, Optional.of("node-7")),
                        EventReason.PLACEMENT_EVICTION_FUTILE,
                        "Moving from node-12 to node-7 did not help: 12s after the eviction the replacement is ready"
                                + " and breaks rule ssd (disk In [ssd]) again; policy shop/web."),
                argumentSet(
                        "a replacement that does not become ready",
                        moved(Outcome.NOT_READY, Optional.of("node-7")),
                        EventReason.PLACEMENT_EVICTION_FUTILE,
                        "Moving from node-12 to node-7 did not help: 12s after the eviction the replacement is not"
                                + " ready; it was for rule ssd (disk In [ssd]); policy shop/web."),
                argumentSet(
                        "a replacement that finds no node",
                        moved(Outcome.NOT_READY, Optional.empty()),
                        EventReason.PLACEMENT_EVICTION_FUTILE,
                        "Moving from node-12 did not help: 12s after the eviction no replacement runs on a node; it"
                                + " was for rule ssd (disk In [ssd]); policy shop/web."),
                argumentSet(
                        "the pod was not replaced",
                        moved(Outcome.GONE, Optional.empty()),
                        EventReason.PLACEMENT_NOT_REPLACED,
                        "The pod evicted from node-12 for rule ssd (disk In [ssd]) was not replaced; policy"
                                + " shop/web."));
    }

    private static Notification moved(Outcome outcome, Optional<String> toNode) {
        return moved(Samples.violation(), outcome, toNode);
    }

    private static Notification moved(ViolationReport violation, Outcome outcome, Optional<String> toNode) {
        return new Notification.Moved(violation, "p1", outcome, toNode, NOW.minus(Duration.ofSeconds(12)));
    }

    @ParameterizedTest
    @MethodSource("told")
    void says(Notification notification, EventReason reason, String message) {
        assertThat(EventMessage.of(notification, Optional.empty(), NOW)).contains(new EventMessage(reason, message));
    }

    static Stream<Arguments> untold() {
        return Stream.of(
                argumentSet("the pod was evicted", new Notification.Ended(Samples.violation(), End.EVICTED)),
                argumentSet("the pod is gone", new Notification.Ended(Samples.violation(), End.POD_GONE)),
                argumentSet(
                        "no policy requests the rule any more",
                        new Notification.Ended(Samples.violation(), End.NOT_REQUESTED)),
                argumentSet(
                        "the rule can no longer be evaluated",
                        new Notification.Ended(Samples.violation(), End.UNDETERMINED)),
                argumentSet(
                        "a standby holds everything",
                        new Notification.Held(
                                Samples.violation(), Hold.untilChange(Reason.NOT_LEADER, "another replica leads"))),
                argumentSet(
                        "an answer that leads to a hold",
                        new Notification.Answered(
                                Samples.violation(), "p1", new EvictionAnswer.SeveralBudgets("two budgets"))));
    }

    @ParameterizedTest
    @MethodSource("untold")
    void isSilentWhen(Notification notification) {
        assertThat(EventMessage.of(notification, Optional.empty(), NOW)).isEmpty();
    }

    static Stream<Arguments> healings() {
        return Stream.of(
                argumentSet(
                        "a label that is missing",
                        new ViolationDetail.NoTopologyKey("node-12", "zone"),
                        "node-12 gets the label zone"),
                argumentSet(
                        "no partner",
                        new ViolationDetail.NoPartner("zone", "a", 1, "(app=cache) by zone"),
                        "a matching pod runs in zone=a"),
                argumentSet(
                        "no partner of a pod that matches its own term",
                        new ViolationDetail.NoPartner("zone", "a", 1, 1, "(app=web) by zone"),
                        "another matching pod runs in zone=a"),
                argumentSet(
                        "one in conflict",
                        new ViolationDetail.Conflict("zone", "a", List.of(Samples.pod("b1"))),
                        "data/b1 leaves zone=a"),
                argumentSet(
                        "four in conflict, three named",
                        new ViolationDetail.Conflict(
                                "zone",
                                "a",
                                List.of(Samples.pod("b1"), Samples.pod("b2"), Samples.pod("b3"), Samples.pod("b4"))),
                        "data/b1, data/b2, data/b3 and 1 more leave zone=a"),
                argumentSet(
                        "skew of 3 over 0 where 1 is allowed",
                        new ViolationDetail.Skew("zone", "a", 2, 1, new LeastCount.OfDomain("b", 0), 1),
                        "the skew of zone=a falls to 1"));
    }

    @ParameterizedTest
    @MethodSource("healings")
    void namesWhatHeals(ViolationDetail violationDetail, String expected) {
        var violation = Samples.violation("web-1", Mode.ENFORCE, new Cause.FoundAtStart(), violationDetail);

        assertThat(new Wording(violation, NOW).healing()).isEqualTo(expected);
    }

    private static final NamespacedName OTHERS = new NamespacedName("data", "b1");

    static Stream<Arguments> tenants() {
        ViolationDetail conflict = new ViolationDetail.Conflict(
                "zone", "a", List.of(Samples.pod("b1"), Samples.pod("b2"), Samples.pod("b3")), 7);
        return Stream.of(
                argumentSet(
                        "pods of another namespace broke the rule",
                        new Notification.Started(Samples.violation(
                                "web-1", Mode.ENFORCE, new Cause.PartnerCame(OTHERS, "node-12"), conflict)),
                        "a pod of another namespace was bound to node-12: it shares zone=a with 3 pods of other"
                                + " namespaces and 4 more."),
                argumentSet(
                        "a namespace got another label",
                        new Notification.Started(Samples.violation(
                                "web-1",
                                Mode.ENFORCE,
                                new Cause.NamespaceLabelChanged(
                                        "data", new Cause.LabelChange("team", Optional.of("a"), Optional.of("b"))),
                                conflict)),
                        "a label of another namespace changed: it shares"),
                argumentSet(
                        "a cluster policy requested the rule",
                        new Notification.Started(Samples.violation(
                                "web-1",
                                Mode.ENFORCE,
                                new Cause.PolicyChanged(PolicyId.cluster("platform")),
                                conflict)),
                        "a policy requested the rule: it shares"),
                argumentSet(
                        "the hold names a pod of another namespace",
                        new Notification.Held(
                                Samples.violation(),
                                Hold.untilChange(Reason.MOVE_IN_SCOPE, "pod data/b1 is being moved")
                                        .redacted("a pod of another namespace is being moved")),
                        "a pod of another namespace is being moved"),
                argumentSet(
                        "the hold is about the settings of another policy",
                        new Notification.Held(
                                Samples.violation(),
                                Hold.untilChange(
                                                Reason.EXCEPTION,
                                                "exception 'failover' of the policy names the pod: data/b1")
                                        .about(PolicyId.cluster("platform"))),
                        "an exception, window, limit or backlog of another policy holds the pod"),
                argumentSet(
                        "the hold is about the settings of the own policy",
                        new Notification.Held(
                                Samples.violation(),
                                Hold.untilChange(
                                                Reason.EXCEPTION,
                                                "exception 'failover' of the policy names the pod: mine")
                                        .about(Samples.POLICY)),
                        "exception 'failover' of the policy names the pod: mine"));
    }

    @ParameterizedTest
    @MethodSource("tenants")
    void tellsReadersOfANamespaceNothingOfOthers(Notification notification, String part) {
        assertThat(EventMessage.of(notification, Optional.of("shop"), NOW)
                        .orElseThrow()
                        .message())
                .contains(part)
                .doesNotContain("data", "platform");
    }

    @Test
    void tellsReadersOfANamespaceTheirOwnNames() {
        Notification notification = new Notification.Started(Samples.violation(
                "web-1",
                Mode.ENFORCE,
                new Cause.PartnerCame(OTHERS, "node-12"),
                new ViolationDetail.Conflict("zone", "a", List.of(Samples.pod("b1"), Samples.pod("b2")))));

        assertThat(EventMessage.of(notification, Optional.of("data"), NOW)
                        .orElseThrow()
                        .message())
                .contains("pod data/b1 was bound to node-12: it shares zone=a with data/b1, data/b2.");
    }

    static Stream<Arguments> ofTheVictim() {
        return Stream.of(
                argumentSet("its eviction is requested", new Notification.Evicting(labelled(), "p1", Optional.empty())),
                argumentSet("it is evicted", new Notification.Answered(labelled(), "p1", new EvictionAnswer.Evicted())),
                argumentSet("it has moved", moved(labelled(), Outcome.MOVED, Optional.of("node-7"))),
                argumentSet(
                        "its replacement breaks the rule again",
                        moved(labelled(), Outcome.BROKEN_AGAIN, Optional.of("node-7"))),
                argumentSet(
                        "its replacement is not ready", moved(labelled(), Outcome.NOT_READY, Optional.of("node-7"))),
                argumentSet("its replacement has no node", moved(labelled(), Outcome.NOT_READY, Optional.empty())),
                argumentSet("it was not replaced", moved(labelled(), Outcome.GONE, Optional.empty())));
    }

    /** {@return a violation whose victim is data/batch-1 and that a label of its rule owner, shop/web-1, caused} */
    private static ViolationReport labelled() {
        Cause labelled = new Cause.PodLabelChanged(
                new NamespacedName("shop", "web-1"),
                new Cause.LabelChange("tier", Optional.of("back"), Optional.of("front")));
        return Samples.violation("web-1", Mode.ENFORCE, labelled, Samples.NOT_SSD)
                .withVictim(Samples.insteadOf().victim());
    }

    @ParameterizedTest
    @MethodSource("ofTheVictim")
    void tellsReadersOfTheVictimsNamespaceNothingOfThePodThatHasTheRule(Notification notification) {
        assertThat(EventMessage.of(notification, Optional.of("data"), NOW)
                        .orElseThrow()
                        .message())
                .contains(" of a pod of another namespace")
                .doesNotContain("web-1", "tier", "front", "back");
        assertThat(EventMessage.of(notification, Optional.empty(), NOW)
                        .orElseThrow()
                        .message())
                .contains(" of shop/web-1");
    }
}

package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests which Kubernetes events the recorder writes, on which objects, and how many. */
class EventRecorderTest {
    private final List<EventDraft> written = new CopyOnWriteArrayList<>();
    private final Map<EventWriteResult, Integer> fates = new EnumMap<>(EventWriteResult.class);
    private final AtomicBoolean leads = new AtomicBoolean(true);
    private volatile Instant now = Samples.SINCE;
    private final Map<String, Controller> controllers = new HashMap<>();
    private final EventRecorder eventRecorder = new EventRecorder(
            (note, _) -> written.add(note),
            policy -> policy.equals(Samples.POLICY) ? Optional.of("policy-uid") : Optional.empty(),
            pod -> pod.controller().flatMap(it -> Optional.ofNullable(controllers.get(it.uid()))),
            leads::get,
            () -> now,
            fate -> fates.merge(fate, 1, Integer::sum),
            EventRecorderTest::die);

    private static void die(Thread thread, Throwable why) {
        throw new AssertionError(thread.getName() + " died", why);
    }

    private List<String> writtenWhenClosed() {
        eventRecorder.start();
        eventRecorder.close();
        return written.stream()
                .map(note -> note.target().kind() + " " + note.target().name() + " "
                        + note.reason().label())
                .toList();
    }

    @Test
    void aViolationIsToldToThePodItsControllerAndThePolicy() {
        eventRecorder.record(new Notification.Started(Samples.violation()));

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Pod web-1 PlacementViolated",
                        "ReplicaSet web-5d9f8 PlacementViolated",
                        "PlacementPolicy web PlacementViolated");
        assertThat(written.get(0).message()).startsWith("Rule ssd");
        assertThat(written.get(1).message()).startsWith("Pod shop/web-1: Rule ssd");
        assertThat(written)
                .extracting(note -> note.target().uid())
                .containsExactly("web-1-uid", "rs-uid", "policy-uid");
        assertThat(written)
                .extracting(note -> note.target().apiVersion())
                .containsExactly("v1", "apps/v1", "holdfast.dev/v1alpha1");
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.WRITTEN, 3));
    }

    @Test
    void aHoldOfARuleThatIsNotPossibleIsNoEvent() {
        eventRecorder.record(new Notification.Held(
                Samples.violation(), Hold.untilChange(Reason.NOT_POSSIBLE, "no node has an SSD")));
        eventRecorder.record(
                new Notification.Held(Samples.violation(), Hold.untilChange(Reason.INFEASIBLE, "no node has an SSD")));

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Pod web-1 PlacementEvictionBlocked",
                        "ReplicaSet web-5d9f8 PlacementEvictionBlocked",
                        "PlacementPolicy web PlacementEvictionBlocked");
    }

    @Test
    void aViolationIsToldToTheDeploymentToo() {
        controllers.put("rs-uid", new Controller("Deployment", "web", "deployment-uid"));

        eventRecorder.record(new Notification.Started(Samples.violation()));

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Pod web-1 PlacementViolated",
                        "ReplicaSet web-5d9f8 PlacementViolated",
                        "Deployment web PlacementViolated",
                        "PlacementPolicy web PlacementViolated");
        EventDraft ofDeployment = written.get(2);
        assertThat(ofDeployment.target())
                .isEqualTo(new EventTarget("apps/v1", "Deployment", Optional.of("shop"), "web", "deployment-uid"));
        assertThat(ofDeployment.message()).startsWith("Pod shop/web-1: Rule ssd");
    }

    @Test
    void ofPodsThatAreTooComplexThirtyAreToldAtOnce() {
        for (int i = 0; i < 31; i++) {
            eventRecorder.record(Samples.tooComplex());
        }

        assertThat(writtenWhenClosed()).hasSize(30).containsOnly("Pod odd-1 PodTooComplex");
        assertThat(written.getFirst().message())
                .isEqualTo("Holdfast evaluates none of this pod's own rules and never evicts it: it has 300 labels, and"
                        + " Holdfast reads at most 64");
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.WRITTEN, 30, EventWriteResult.LEFT_OUT, 1));
    }

    @Test
    void ofPodsWithInvalidAnnotationsANamespaceHasThirtyEventsAtOnceAndThenOneEachSixSeconds() {
        invalidRules(31, "noisy");
        now = now.plus(Duration.ofSeconds(12));
        invalidRules(31, "noisy");

        assertThat(writtenWhenClosed()).hasSize(32).containsOnly("Pod odd-1 PlacementAnnotationIgnored");
        assertThat(written.getFirst().message()).isEqualTo("The annotation is ignored: it must be JSON");
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.WRITTEN, 32, EventWriteResult.LEFT_OUT, 30));
    }

    @Test
    void manyPodsOfOneNamespaceLeaveTheEventsOfOthersAlone() {
        invalidRules(350, "noisy");
        invalidRules(1, "quiet");
        tooComplex(350, "noisy");
        tooComplex(1, "quiet");

        writtenWhenClosed();
        assertThat(written)
                .filteredOn(note -> note.target().namespace().equals(Optional.of("quiet")))
                .extracting(note -> note.reason().label())
                .containsExactly("PlacementAnnotationIgnored", "PodTooComplex");
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.WRITTEN, 62, EventWriteResult.LEFT_OUT, 640));
    }

    @Test
    void thePodsWithInvalidAnnotationsOfAllNamespacesHave300EventsTogether() {
        for (int i = 0; i < 11; i++) {
            invalidRules(30, "namespace-" + i);
        }

        assertThat(writtenWhenClosed()).hasSize(300);
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.WRITTEN, 300, EventWriteResult.LEFT_OUT, 30));
    }

    private void invalidRules(int pods, String namespace) {
        for (int i = 0; i < pods; i++) {
            eventRecorder.record(Samples.invalidRules(namespace));
        }
    }

    private void tooComplex(int pods, String namespace) {
        for (int i = 0; i < pods; i++) {
            eventRecorder.record(Samples.tooComplex(namespace));
        }
    }

    @Test
    void aBreakerIsToldToTheOperatorsOwnNamespaceWhereItIsAcknowledged() {
        eventRecorder.record(Samples.breaker(BrakeReport.Change.OPENED), "holdfast");
        eventRecorder.record(Samples.breaker(BrakeReport.Change.HEALED), "holdfast");
        eventRecorder.record(Samples.breaker(BrakeReport.Change.ACKNOWLEDGED), "holdfast");

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Namespace holdfast EnforcementFrozen",
                        "Namespace holdfast EnforcementResumed",
                        "Namespace holdfast EnforcementResumed");
        assertThat(written).extracting(EventDraft::message).containsOnly("label disk left 6 of 10 nodes in 90 s");
        assertThat(written.getFirst().target().eventNamespace()).isEqualTo("default");
    }

    @Test
    void aBacklogIsToldToItsPolicyAlsoWhereTheRationOfThePolicyIsSpent() {
        for (int i = 0; i < 20; i++) {
            eventRecorder.record(new Notification.Started(Samples.violation()));
        }
        eventRecorder.record(Samples.backlog(BrakeReport.Change.OPENED), "holdfast");
        eventRecorder.record(Samples.backlog(BrakeReport.Change.HEALED), "holdfast");
        eventRecorder.record(Samples.backlog(BrakeReport.Change.ACKNOWLEDGED), "holdfast");

        assertThat(writtenWhenClosed())
                .filteredOn(line -> line.contains("Enforcement"))
                .containsExactly(
                        "PlacementPolicy web EnforcementFrozen",
                        "PlacementPolicy web EnforcementResumed",
                        "PlacementPolicy web EnforcementResumed");
        assertThat(fates).containsKey(EventWriteResult.LEFT_OUT);
        assertThat(written).extracting(EventDraft::message).contains("the policy would have 11 of its 20 pods moved");
    }

    @Test
    void aDynamicLabelIsReportedOnTheOperatorsNamespace() {
        eventRecorder.record(new DynamicLabel("load", "label load is dynamic"), "holdfast");

        assertThat(writtenWhenClosed()).containsExactly("Namespace holdfast DynamicLabel");
    }

    @Test
    void anIdThatIsNobodysIsAnsweredWhereItWasAcknowledged() {
        eventRecorder.record(
                new UnknownAcknowledgement(Optional.of(Samples.POLICY), "nothing is held under a@1"), "holdfast");
        eventRecorder.record(new UnknownAcknowledgement(Optional.empty(), "nothing is held under b@1"), "holdfast");

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "PlacementPolicy web AcknowledgementUnknown", "Namespace holdfast AcknowledgementUnknown");
        assertThat(written)
                .extracting(EventDraft::message)
                .containsExactly("nothing is held under a@1", "nothing is held under b@1");
    }

    @Test
    void ofUnknownAcknowledgementsAPolicyHasTenEventsAtOnce() {
        for (int i = 0; i < 15; i++) {
            eventRecorder.record(
                    new UnknownAcknowledgement(Optional.of(Samples.POLICY), "nothing is held under a@" + i),
                    "holdfast");
            eventRecorder.record(new UnknownAcknowledgement(Optional.empty(), "nothing is held under b@1"), "holdfast");
        }

        assertThat(writtenWhenClosed())
                .filteredOn(line -> line.startsWith("PlacementPolicy"))
                .hasSize(10 + 1)
                .endsWith("PlacementPolicy web PlacementEventsLeftOut");
        assertThat(written).hasSize(15 + 10 + 1);
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.LEFT_OUT, 5, EventWriteResult.WRITTEN, 26));
    }

    @Test
    void thePoliciesOfANamespaceHave150EventsTogether() {
        for (int policy = 0; policy < 6; policy++) {
            for (int i = 0; i < 15; i++) {
                eventRecorder.record(new Notification.Started(Samples.with(
                        Samples.violation().victim(),
                        PolicyId.namespaced("shop", "policy-" + policy),
                        Samples.violation())));
            }
        }

        assertThat(writtenWhenClosed()).hasSize(150);
    }

    @Test
    void anEvictionIsToldToThePodBeforeAndToThoseWhoStayAfter() {
        eventRecorder.record(new Notification.Evicting(Samples.violation(), "p1", Optional.empty()));
        eventRecorder.record(new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted()));
        eventRecorder.record(
                new Notification.Moved(Samples.violation(), "p1", Outcome.MOVED, Optional.of("node-7"), Samples.SINCE));

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Pod web-1 PlacementEvicting",
                        "Pod web-1 PlacementEvicted",
                        "ReplicaSet web-5d9f8 PlacementEvicted",
                        "PlacementPolicy web PlacementEvicted",
                        "ReplicaSet web-5d9f8 PlacementMoved",
                        "PlacementPolicy web PlacementMoved");
        assertThat(written).extracting(EventDraft::plan).containsOnly(Optional.of("p1"));
    }

    @Test
    void whatWasBrokenAtTheStartIsToldOnceAnOwnerAndRule() {
        for (String pod : List.of("web-1", "web-2", "web-3", "web-4")) {
            eventRecorder.record(new Notification.Started(
                    Samples.violation(pod, Mode.AUDIT, new Cause.FoundAtStart(), Samples.NOT_SSD)));
        }
        eventRecorder.queueDue(now);
        assertThat(fates).isEmpty();
        now = now.plus(Duration.ofSeconds(1));

        assertThat(writtenWhenClosed())
                .containsExactly("ReplicaSet web-5d9f8 PlacementViolated", "PlacementPolicy web PlacementViolated");
        assertThat(written)
                .extracting(EventDraft::message)
                .containsOnly("Pods shop/web-1, shop/web-2, shop/web-3 and 1 more violated the rule when first seen."
                        + " shop/web-1: Rule ssd (disk In [ssd]) broken since it was first seen: node-12"
                        + " does not match disk In [ssd]: it has disk=hdd. Would be due for eviction at"
                        + " 2026-11-20T15:42:08Z (forgiveness 10m0s) unless node-12 matches disk In [ssd];"
                        + " policy shop/web (Audit).");
    }

    @Test
    void aPolicyThatHasUsedItsRationOf30EventsGetsASummaryAndItsEvictionsAreToldStill() {
        for (int i = 0; i < 11; i++) {
            eventRecorder.record(new Notification.Started(pod("web-" + i)));
        }
        eventRecorder.record(new Notification.Answered(pod("web-0"), "p1", new EvictionAnswer.Evicted()));
        eventRecorder.queueDue(now);

        assertThat(writtenWhenClosed()).hasSize(30 + 3 + 1).endsWith("PlacementPolicy web PlacementEventsLeftOut");
        assertThat(written.getLast().message())
                .isEqualTo("3 more events of this policy were left out because of the event rate limit. Its status"
                        + " counts all"
                        + " violations, and the operator's log at level debug has each.");
        assertThat(fates).isEqualTo(Map.of(EventWriteResult.LEFT_OUT, 3, EventWriteResult.WRITTEN, 34));
    }

    @Test
    void aRationGrowsAgainByOneEventEachSixSeconds() {
        for (int i = 0; i < 11; i++) {
            eventRecorder.record(new Notification.Started(pod("web-" + i)));
        }
        now = now.plus(Duration.ofSeconds(12));
        eventRecorder.record(new Notification.Started(pod("early")));
        now = now.plus(Duration.ofSeconds(6));
        eventRecorder.record(new Notification.Started(pod("late-1")));
        eventRecorder.record(new Notification.Started(pod("late-2")));

        assertThat(writtenWhenClosed())
                .contains("Pod late-1 PlacementViolated")
                .doesNotContain("Pod early PlacementViolated", "Pod late-2 PlacementViolated");
        assertThat(fates).containsEntry(EventWriteResult.LEFT_OUT, 9);
    }

    @Test
    void anEventThatCannotBeWrittenIsCountedAndTheNextIsWritten() {
        EventRecorder stumbling = new EventRecorder(
                (note, _) -> {
                    if (note.target().kind().equals("Pod")) {
                        throw new IllegalStateException("a bug");
                    }
                    return written.add(note);
                },
                _ -> Optional.empty(),
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                fate -> fates.merge(fate, 1, Integer::sum),
                EventRecorderTest::die);
        stumbling.record(new Notification.Started(Samples.violation()));
        stumbling.start();
        stumbling.close();

        assertThat(fates).isEqualTo(Map.of(EventWriteResult.FAILED, 1, EventWriteResult.WRITTEN, 1));
    }

    @Test
    void anErrorIsTold() throws InterruptedException {
        BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
        EventRecorder dying = new EventRecorder(
                (_, _) -> {
                    throw new StackOverflowError("too deep");
                },
                _ -> Optional.empty(),
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                _ -> {},
                (_, death) -> deaths.add(death));
        dying.record(new Notification.Started(Samples.violation()));
        dying.start();

        assertThat(deaths.poll(10, TimeUnit.SECONDS)).hasMessage("too deep");
    }

    private static ViolationReport pod(String name) {
        return Samples.violation(name, Mode.ENFORCE, Samples.DISK_CHANGED, Samples.NOT_SSD);
    }

    @Test
    void whatDoesNotFitIntoTheQueueIsDroppedAndCounted() {
        for (int i = 0; i < 350; i++) {
            eventRecorder.record(new Notification.Answered(pod("web-" + i), "p" + i, new EvictionAnswer.Evicted()));
        }

        assertThat(fates).isEqualTo(Map.of(EventWriteResult.DROPPED, 50));
    }

    @Test
    void aReplicaThatDoesNotLeadWritesNothing() {
        leads.set(false);
        eventRecorder.record(new Notification.Ended(Samples.violation(), End.HEALED));

        assertThat(writtenWhenClosed()).isEmpty();
        assertThat(fates).as("the leader writes the same, so nothing is lost").isEmpty();
    }

    @Test
    void thePolicyThatIsGoneGetsNoEvent() {
        EventRecorder orphaned = new EventRecorder(
                (note, _) -> written.add(note),
                _ -> Optional.empty(),
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                _ -> {},
                EventRecorderTest::die);
        orphaned.record(new Notification.Started(Samples.violation()));
        orphaned.start();
        orphaned.close();

        assertThat(written).extracting(note -> note.target().kind()).containsExactly("Pod", "ReplicaSet");
    }

    @Test
    void whatTheApiServerDoesNotTakeIsCounted() {
        EventRecorder refused = new EventRecorder(
                (_, _) -> false,
                _ -> Optional.empty(),
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                fate -> fates.merge(fate, 1, Integer::sum),
                EventRecorderTest::die);
        refused.record(new Notification.Started(Samples.violation()));
        refused.start();
        refused.close();

        assertThat(fates).isEqualTo(Map.of(EventWriteResult.FAILED, 2));
    }
}

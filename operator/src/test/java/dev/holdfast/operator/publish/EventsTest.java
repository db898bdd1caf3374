package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.report.AcknowledgementUnknown;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Occurrence;
import dev.holdfast.policies.engine.report.Occurrence.End;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Which events are written about which objects, and how many. */
class EventsTest {
    private final List<EventNote> written = new CopyOnWriteArrayList<>();
    private final Map<EventFate, Integer> fates = new EnumMap<>(EventFate.class);
    private final AtomicBoolean leads = new AtomicBoolean(true);
    private volatile Instant now = Samples.SINCE;
    private final Events events = new Events(
            (note, _) -> written.add(note),
            policy -> policy.equals(Samples.POLICY) ? Optional.of("policy-uid") : Optional.empty(),
            leads::get,
            () -> now,
            fate -> fates.merge(fate, 1, Integer::sum),
            EventsTest::die);

    private static void die(Thread thread, Throwable why) {
        throw new AssertionError(thread.getName() + " died", why);
    }

    private List<String> writtenWhenClosed() {
        events.start();
        events.close();
        return written.stream()
                .map(note -> note.target().kind() + " " + note.target().name() + " "
                        + note.reason().label())
                .toList();
    }

    @Test
    void aViolationIsToldToThePodItsControllerAndThePolicy() {
        events.tell(new Occurrence.Started(Samples.violation()));

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
        assertThat(fates).isEqualTo(Map.of(EventFate.WRITTEN, 3));
    }

    @Test
    void aBreakerIsToldToTheOperatorsOwnNamespaceWhereItIsAcknowledged() {
        events.tell(Samples.breaker(BrakeReport.Turn.OPENED), "holdfast");
        events.tell(Samples.breaker(BrakeReport.Turn.HEALED), "holdfast");
        events.tell(Samples.breaker(BrakeReport.Turn.ACKNOWLEDGED), "holdfast");

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Namespace holdfast EnforcementFrozen",
                        "Namespace holdfast EnforcementResumed",
                        "Namespace holdfast EnforcementResumed");
        assertThat(written).extracting(EventNote::message).containsOnly("label disk left 6 of 10 nodes in 90 s");
        assertThat(written.getFirst().target().eventNamespace()).isEqualTo("default");
    }

    @Test
    void aBacklogIsToldToItsPolicyAlsoWhereTheRationOfThePolicyIsSpent() {
        for (int i = 0; i < 20; i++) {
            events.tell(new Occurrence.Started(Samples.violation()));
        }
        events.tell(Samples.backlog(BrakeReport.Turn.OPENED), "holdfast");
        events.tell(Samples.backlog(BrakeReport.Turn.HEALED), "holdfast");
        events.tell(Samples.backlog(BrakeReport.Turn.ACKNOWLEDGED), "holdfast");

        assertThat(writtenWhenClosed())
                .filteredOn(line -> line.contains("Enforcement"))
                .containsExactly(
                        "PlacementPolicy web EnforcementFrozen",
                        "PlacementPolicy web EnforcementResumed",
                        "PlacementPolicy web EnforcementResumed");
        assertThat(fates).containsKey(EventFate.LEFT_OUT);
        assertThat(written).extracting(EventNote::message).contains("the policy would have 11 of its 20 pods moved");
    }

    @Test
    void anIdThatIsNobodysIsAnsweredWhereItWasAcknowledged() {
        events.tell(new AcknowledgementUnknown(Optional.of(Samples.POLICY), "nothing is held under a@1"), "holdfast");
        events.tell(new AcknowledgementUnknown(Optional.empty(), "nothing is held under b@1"), "holdfast");

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "PlacementPolicy web AcknowledgementUnknown", "Namespace holdfast AcknowledgementUnknown");
        assertThat(written)
                .extracting(EventNote::message)
                .containsExactly("nothing is held under a@1", "nothing is held under b@1");
    }

    @Test
    void anEvictionIsToldToThePodBeforeAndToThoseWhoStayAfter() {
        events.tell(new Occurrence.Evicting(Samples.violation(), "p1", Optional.empty()));
        events.tell(new Occurrence.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted()));
        events.tell(
                new Occurrence.Moved(Samples.violation(), "p1", Outcome.MOVED, Optional.of("node-7"), Samples.SINCE));

        assertThat(writtenWhenClosed())
                .containsExactly(
                        "Pod web-1 PlacementEvicting",
                        "Pod web-1 PlacementEvicted",
                        "ReplicaSet web-5d9f8 PlacementEvicted",
                        "PlacementPolicy web PlacementEvicted",
                        "ReplicaSet web-5d9f8 PlacementMoved",
                        "PlacementPolicy web PlacementMoved");
        assertThat(written).extracting(EventNote::plan).containsOnly(Optional.of("p1"));
    }

    @Test
    void whatWasBrokenAtTheStartIsToldOnceAnOwnerAndRule() {
        for (String pod : List.of("web-1", "web-2", "web-3", "web-4")) {
            events.tell(new Occurrence.Started(
                    Samples.violation(pod, Mode.AUDIT, new Cause.FoundAtStart(), Samples.NOT_SSD)));
        }
        events.gatherRipe(now);
        assertThat(fates).isEmpty();
        now = now.plus(Duration.ofSeconds(1));

        assertThat(writtenWhenClosed())
                .containsExactly("ReplicaSet web-5d9f8 PlacementViolated", "PlacementPolicy web PlacementViolated");
        assertThat(written)
                .extracting(EventNote::message)
                .containsOnly("Pods shop/web-1, shop/web-2, shop/web-3 and 1 more were found so. shop/web-1: Rule ssd"
                        + " (disk In [ssd]) broken since it was first seen: node-12 does not match disk In"
                        + " [ssd]. Would be due for eviction at 2026-11-20T15:42:08Z (forgiveness 10m0s) unless"
                        + " node-12 comes to match disk In [ssd]; policy shop/web (Audit).");
    }

    @Test
    void aPolicyThatHasUsedItsRationOf30EventsGetsASummaryAndItsEvictionsAreToldStill() {
        for (int i = 0; i < 11; i++) {
            events.tell(new Occurrence.Started(pod("web-" + i)));
        }
        events.tell(new Occurrence.Answered(pod("web-0"), "p1", new EvictionAnswer.Evicted()));
        events.gatherRipe(now);

        assertThat(writtenWhenClosed()).hasSize(30 + 3 + 1).endsWith("PlacementPolicy web PlacementEventsLeftOut");
        assertThat(written.getLast().message())
                .isEqualTo("3 more events of this policy were left out, since there were so many: its status counts all"
                        + " violations, and the operator's log has each.");
        assertThat(fates).isEqualTo(Map.of(EventFate.LEFT_OUT, 3, EventFate.WRITTEN, 34));
    }

    @Test
    void aRationGrowsAgainByOneEventEachSixSeconds() {
        for (int i = 0; i < 11; i++) {
            events.tell(new Occurrence.Started(pod("web-" + i)));
        }
        now = now.plus(Duration.ofSeconds(12));
        events.tell(new Occurrence.Started(pod("early")));
        now = now.plus(Duration.ofSeconds(6));
        events.tell(new Occurrence.Started(pod("late-1")));
        events.tell(new Occurrence.Started(pod("late-2")));

        assertThat(writtenWhenClosed())
                .contains("Pod late-1 PlacementViolated")
                .doesNotContain("Pod early PlacementViolated", "Pod late-2 PlacementViolated");
        assertThat(fates).containsEntry(EventFate.LEFT_OUT, 9);
    }

    @Test
    void anEventThatCannotBeWrittenIsCountedAndTheNextIsWritten() {
        Events stumbling = new Events(
                (note, _) -> {
                    if (note.target().kind().equals("Pod")) {
                        throw new IllegalStateException("a bug");
                    }
                    return written.add(note);
                },
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                fate -> fates.merge(fate, 1, Integer::sum),
                EventsTest::die);
        stumbling.tell(new Occurrence.Started(Samples.violation()));
        stumbling.start();
        stumbling.close();

        assertThat(fates).isEqualTo(Map.of(EventFate.FAILED, 1, EventFate.WRITTEN, 1));
    }

    @Test
    void anErrorIsTold() throws InterruptedException {
        BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
        Events dying = new Events(
                (_, _) -> {
                    throw new StackOverflowError("too deep");
                },
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                _ -> {},
                (_, death) -> deaths.add(death));
        dying.tell(new Occurrence.Started(Samples.violation()));
        dying.start();

        assertThat(deaths.poll(10, TimeUnit.SECONDS)).hasMessage("too deep");
    }

    private static ViolationReport pod(String name) {
        return Samples.violation(name, Mode.ENFORCE, Samples.DISK_CHANGED, Samples.NOT_SSD);
    }

    @Test
    void whatDoesNotFitIntoTheQueueIsDroppedAndCounted() {
        for (int i = 0; i < 350; i++) {
            events.tell(new Occurrence.Answered(pod("web-" + i), "p" + i, new EvictionAnswer.Evicted()));
        }

        assertThat(fates).isEqualTo(Map.of(EventFate.DROPPED, 50));
    }

    @Test
    void aReplicaThatDoesNotLeadWritesNothing() {
        leads.set(false);
        events.tell(new Occurrence.Ended(Samples.violation(), End.HEALED));

        assertThat(writtenWhenClosed()).isEmpty();
        assertThat(fates).isEqualTo(Map.of(EventFate.DROPPED, 3));
    }

    @Test
    void thePolicyThatIsGoneGetsNoEvent() {
        Events orphaned = new Events(
                (note, _) -> written.add(note), _ -> Optional.empty(), () -> true, () -> now, _ -> {}, EventsTest::die);
        orphaned.tell(new Occurrence.Started(Samples.violation()));
        orphaned.start();
        orphaned.close();

        assertThat(written).extracting(note -> note.target().kind()).containsExactly("Pod", "ReplicaSet");
    }

    @Test
    void whatTheApiServerDoesNotTakeIsCounted() {
        Events refused = new Events(
                (_, _) -> false,
                _ -> Optional.empty(),
                () -> true,
                () -> now,
                fate -> fates.merge(fate, 1, Integer::sum),
                EventsTest::die);
        refused.tell(new Occurrence.Started(Samples.violation()));
        refused.start();
        refused.close();

        assertThat(fates).isEqualTo(Map.of(EventFate.FAILED, 2));
    }
}

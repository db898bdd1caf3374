package dev.holdfast.operator.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.policies.engine.protocol.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LeadershipTest {
    private static final LeaseSettings SETTINGS =
            new LeaseSettings("hf", "holdfast", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration REQUEST = Duration.ofSeconds(3);
    private static final Event GAINED = new Event.LeadershipGained();
    private static final Event REGAINED = new Event.LeadershipRegained();

    private static final Event UNRENEWED = lost("the lease was not renewed for 10 s", Duration.ofSeconds(10));

    private final HandClock clock = new HandClock();
    private final FakeLease lease = new FakeLease();
    private final List<Event> events = new ArrayList<>();
    private boolean couldAct = true;
    private final BlockingQueue<Throwable> deaths = new LinkedBlockingQueue<>();
    private final Leadership me = candidate("me", events);

    @Test
    void aMissingLeaseIsMade() {
        me.round();

        assertThat(lease.stored)
                .contains(new LeaseRecord("me", Duration.ofSeconds(15), HandClock.START, HandClock.START, 0));
        assertThat(events).containsExactly(GAINED);
        assertThat(me.allows(REQUEST)).isTrue();
    }

    @Test
    void aMissingLeaseThatMayNotBeMadeIsWaitedFor() {
        lease.mayCreate = false;
        me.round();
        assertThat(me.leads()).isFalse();

        lease.written(free());
        me.round();
        assertThat(events).containsExactly(GAINED);
    }

    @Test
    void anErrorEndsTheLeadAndIsTold() throws InterruptedException {
        me.round();
        lease.failure = Optional.of(new StackOverflowError("too deep"));
        me.start();

        assertThat(deaths.poll(10, TimeUnit.SECONDS)).hasMessage("too deep");
        assertThat(events.getLast())
                .isEqualTo(lost("leader election failed: java.lang.StackOverflowError: too deep", Duration.ZERO));
    }

    @Test
    void theLeaseIsRenewedByAPlatformThreadWhichBusyVirtualThreadsCannotDelay() throws InterruptedException {
        me.round();
        lease.threads.clear();

        me.start();

        assertThat(lease.threads.poll(10, TimeUnit.SECONDS))
                .isNotNull()
                .returns(false, Thread::isVirtual)
                .returns("holdfast-lease", Thread::getName);
        me.close();
    }

    @Test
    void aFreeLeaseIsTakenAndTheChangeOfHandsIsCounted() {
        lease.written(free());
        clock.passes(RETRY);

        me.round();

        Instant now = HandClock.START.plus(RETRY);
        assertThat(lease.stored).contains(new LeaseRecord("me", Duration.ofSeconds(15), now, now, 8));
        assertThat(lease.requests).containsExactly("read", "replace");
    }

    @Test
    void aRenewalIsOneRequest() {
        me.round();
        lease.requests.clear();

        clock.passes(RETRY);
        me.round();

        assertThat(lease.requests).containsExactly("replace");
        assertThat(lease.stored).map(LeaseRecord::renewTime).contains(HandClock.START.plus(RETRY));
        assertThat(lease.stored).map(LeaseRecord::acquireTime).contains(HandClock.START);
    }

    @Test
    void twoCandidatesNeverLeadAtOnceAndTheSecondTakesOverFromADeadOne() {
        List<Event> otherEvents = new ArrayList<>();
        Leadership other = candidate("other", otherEvents);
        me.round();

        for (int seconds = 0; seconds < 14; seconds += 2) {
            other.round();
            assertThat(other.leads()).isFalse();
            clock.passes(RETRY);
        }
        other.round();
        assertThat(other.leads()).isFalse();
        assertThat(me.leads()).isFalse();

        clock.passes(RETRY);
        other.round();
        assertThat(otherEvents).containsExactly(GAINED);

        me.round();
        assertThat(events).containsExactly(GAINED, UNRENEWED);
        assertThat(me.leads()).isFalse();
    }

    @Test
    void aStandbyLooksFourTimesAsOftenAsTheLeaderRenewsAndWhenTheLeaseExpires() {
        List<Event> otherEvents = new ArrayList<>();
        Leadership other = candidate("other", otherEvents);
        me.round();
        clock.passes(Duration.ofMillis(700));
        other.round();
        assertThat(me.pause()).isEqualTo(RETRY);
        assertThat(other.pause()).isEqualTo(Duration.ofMillis(500));

        clock.passes(Duration.ofMillis(14_600));
        other.round();
        assertThat(other.pause()).isEqualTo(Duration.ofMillis(400));

        clock.passes(other.pause());
        other.round();
        assertThat(otherEvents).containsExactly(GAINED);
    }

    @Test
    void aReleasedLeaseIsTakenAtTheNextLookOfAStandby() {
        List<Event> otherEvents = new ArrayList<>();
        Leadership other = candidate("other", otherEvents);
        me.round();
        other.round();
        me.close();

        clock.passes(other.pause());
        other.round();

        assertThat(otherEvents).containsExactly(GAINED);
        assertThat(other.leadingSince()).contains(HandClock.START.plusMillis(500));
        assertThat(me.leadingSince()).isEmpty();
    }

    /** Its views are not synced, or it may only audit: a standby that could act takes the lease first. */
    @Test
    void aReplicaThatCouldNotActLeavesAFreeLeaseToOthersForFiveSeconds() {
        lease.written(free());
        couldAct = false;
        for (int seconds = 0; seconds < 5; seconds++) {
            me.round();
            assertThat(me.leads()).isFalse();
            clock.passes(Duration.ofSeconds(1));
        }

        me.round();

        assertThat(me.leads()).isTrue();
    }

    @Test
    void aReplicaThatCanActAgainTakesAFreeLeaseAtOnce() {
        lease.written(free());
        couldAct = false;
        me.round();
        couldAct = true;

        me.round();

        assertThat(me.leads()).isTrue();
    }

    @Test
    void aReplicaThatCouldNotActLeavesEachFreeLeaseToOthersAgain() {
        lease.written(free());
        couldAct = false;
        me.round();
        clock.passes(Duration.ofSeconds(4));
        lease.written(new LeaseRecord("other", Duration.ofSeconds(15), HandClock.START, HandClock.START, 9));
        me.round();
        lease.written(free());
        clock.passes(Duration.ofSeconds(4));

        me.round();

        assertThat(me.leads()).isFalse();
    }

    @Test
    void aLeaderThatLosesItsViewsKeepsItsLease() {
        me.round();
        couldAct = false;
        clock.passes(RETRY);
        me.round();

        assertThat(lease.stored).map(LeaseRecord::renewTime).contains(HandClock.START.plus(RETRY));
    }

    @Test
    void anUnreachableApiServerEndsLeadingAtTheDeadlineAndItsReturnBringsItBack() {
        me.round();
        lease.reachable = false;
        clock.passes(Duration.ofMillis(6_999));
        me.round();
        assertThat(me.allows(REQUEST)).isTrue();

        clock.passes(Duration.ofMillis(1));
        assertThat(me.allows(REQUEST)).isFalse();
        assertThat(events).containsExactly(GAINED);

        clock.passes(REQUEST);
        me.round();
        lease.reachable = true;
        me.round();

        assertThat(events).containsExactly(GAINED, UNRENEWED, REGAINED);
    }

    @Test
    void aReplicaThatStalledReportsWhenItsLeadEndedNotWhenItNoticed() {
        me.round();
        clock.passes(RETRY);
        me.round();
        clock.passes(Duration.ofSeconds(60));

        me.round();

        assertThat(events)
                .containsExactly(GAINED, lost("the lease was not renewed for 10 s", RETRY.plusSeconds(10)), REGAINED);
    }

    /** {@return the event after a lead that ended at a time after the start} */
    private static Event lost(String why, Duration after) {
        return new Event.LeadershipLost(why, HandClock.START.plus(after));
    }

    /**
     * {@return the events after this replica lost the lease by the deadline, something happened, and it leads again}
     */
    private List<Event> leadingAgainAfter(Runnable happens) {
        me.round();
        lease.reachable = false;
        clock.passes(Duration.ofSeconds(10));
        me.round();
        lease.reachable = true;
        happens.run();
        me.round();
        if (!me.leads()) {
            clock.passes(Duration.ofSeconds(16));
            me.round();
        }
        return events;
    }

    @Test
    void aLeaseThatNoOtherReplicaHeldIsRegained() {
        assertThat(leadingAgainAfter(() -> {})).endsWith(REGAINED);
    }

    @Test
    void aLeaseThatAnotherReplicaHeldIsGainedAgain() {
        assertThat(leadingAgainAfter(() -> lease.written(lease.stored
                        .orElseThrow()
                        .takenBy("other", Duration.ofSeconds(15), clock.clock().wall()))))
                .endsWith(GAINED);
    }

    @Test
    void aLeaseThatAnotherReplicaHeldAndReleasedIsGainedAgain() {
        assertThat(leadingAgainAfter(() -> lease.written(lease.stored
                        .orElseThrow()
                        .takenBy("other", Duration.ofSeconds(15), clock.clock().wall())
                        .released(clock.clock().wall()))))
                .endsWith(GAINED);
    }

    @Test
    void aLeaseThatWasDeletedIsGainedAgain() {
        assertThat(leadingAgainAfter(() -> lease.stored = Optional.empty())).endsWith(GAINED);
    }

    @Test
    void aMachineThatSleptGainsTheLeaseAgain() {
        assertThat(leadingAgainAfter(() -> clock.wallMoves(Duration.ofSeconds(2))))
                .endsWith(GAINED);
    }

    @Test
    void aRenewalWithoutAnAnswerDoesNotCountButTheNextOneDoes() {
        me.round();
        lease.answering = false;
        clock.passes(Duration.ofSeconds(5));
        me.round();
        clock.passes(Duration.ofSeconds(2));
        assertThat(me.allows(REQUEST)).isFalse();

        lease.answering = true;
        me.round();
        me.round();

        assertThat(me.allows(REQUEST)).isTrue();
        assertThat(events).containsExactly(GAINED);
    }

    @Test
    void aRobbedLeaseEndsLeadingAtOnce() {
        me.round();
        lease.written(new LeaseRecord("robber", Duration.ofSeconds(15), HandClock.START, HandClock.START, 9));

        me.round();

        assertThat(events).containsExactly(GAINED, lost("robber took the lease", Duration.ZERO));
        assertThat(me.allows(Duration.ZERO)).isFalse();
    }

    @Test
    void aDeletedLeaseEndsLeadingAndIsCreatedAgain() {
        me.round();
        lease.stored = Optional.empty();

        me.round();
        me.round();

        assertThat(events).containsExactly(GAINED, lost("the lease was deleted", Duration.ZERO), GAINED);
    }

    @Test
    void aLeaseDeletedUnderItsHolderIsNotMadeByAStandbyThatSawItHeld() {
        List<Event> otherEvents = new ArrayList<>();
        Leadership other = candidate("other", otherEvents);
        me.round();
        other.round();
        lease.stored = Optional.empty();

        other.round();
        assertThat(me.allows(REQUEST)).isTrue();
        assertThat(other.leads()).isFalse();

        me.round();
        me.round();
        other.round();
        assertThat(events).containsExactly(GAINED, lost("the lease was deleted", Duration.ZERO), GAINED);
        assertThat(otherEvents).isEmpty();
    }

    @Test
    void aDeletedLeaseIsMadeByAStandbyOnceItsClaimIsOverCountedFromWhenItWasSeenToBeGone() {
        Leadership other = candidate("other", new ArrayList<>());
        me.round();
        other.round();
        lease.reachable = false;
        clock.passes(Duration.ofSeconds(20));
        other.round();
        lease.reachable = true;
        lease.stored = Optional.empty();

        for (int seconds = 0; seconds < 15; seconds++) {
            other.round();
            assertThat(other.leads()).as("after " + seconds + " s").isFalse();
            clock.passes(Duration.ofSeconds(1));
        }
        other.round();
        assertThat(other.leads()).isTrue();
    }

    @Test
    void aSleepOfTheMachineEndsLeadingEvenBeforeTheThreadNotices() {
        me.round();
        clock.wallMoves(Duration.ofMinutes(5));
        assertThat(me.allows(REQUEST)).isFalse();

        me.round();

        assertThat(events)
                .containsExactly(
                        GAINED,
                        lost(
                                "the wall clock and the monotonic clock drifted apart by more than a second",
                                Duration.ZERO),
                        GAINED);
    }

    @Test
    void closingGivesTheLeaseBackSoThatAnotherTakesItAtOnce() {
        List<Event> otherEvents = new ArrayList<>();
        Leadership other = candidate("other", otherEvents);
        me.round();

        me.close();
        other.round();

        assertThat(events).containsExactly(GAINED, lost("stopping", Duration.ZERO));
        assertThat(me.allows(Duration.ZERO)).isFalse();
        assertThat(otherEvents).containsExactly(GAINED);
    }

    @Test
    void closingLeavesAnothersLeaseAlone() {
        LeaseRecord others = new LeaseRecord("other", Duration.ofSeconds(15), HandClock.START, HandClock.START, 1);
        lease.written(others);
        me.round();

        me.close();

        assertThat(lease.stored).contains(others);
        assertThat(lease.requests).containsExactly("read", "close");
    }

    /** A renewal that begins and goes on until the test lets it end. No interrupt ends it. */
    private final class SlowRenewal {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private final Thread renewing;

        SlowRenewal() throws InterruptedException {
            me.round();
            lease.threads.clear();
            lease.whileReplacing = this::replacing;
            me.start();
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            renewing = lease.threads.take();
        }

        private void replacing() {
            boolean ended = begun.getCount() == 0;
            begun.countDown();
            while (!ended) {
                try {
                    goesOn.await();
                    ended = true;
                } catch (InterruptedException _) {
                    // It goes on, as a request in a library may.
                }
            }
        }

        void ends() throws InterruptedException {
            goesOn.countDown();
            assertThat(renewing.join(Duration.ofSeconds(10))).isTrue();
        }
    }

    @Test
    void anInterruptedStopReleasesTheLeaseAfterTheRenewalInProgress() throws InterruptedException {
        SlowRenewal renewal = new SlowRenewal();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread stop = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            me.close();
            interrupted.set(Thread.interrupted());
        });
        await("the stop waits, or has ended")
                .until(() -> stop.getState() == Thread.State.TIMED_WAITING || !stop.isAlive());

        assertThat(lease.requests).containsExactly("read", "create", "replace");
        assertThat(me.leads()).isFalse();
        assertThat(me.leadingSince()).isEmpty();

        renewal.ends();
        stop.join();
        assertThat(lease.requests).containsExactly("read", "create", "replace", "replace", "close");
        assertThat(lease.stored).get().returns(false, LeaseRecord::isHeld);
        assertThat(interrupted).isTrue();
        assertThat(me.leads()).isFalse();
    }

    @Test
    void aStopDuringARenewalThatDoesNotEndReleasesNothingAndEndsTheLead() throws InterruptedException {
        SlowRenewal renewal = new SlowRenewal();

        me.close(Duration.ofMillis(1));

        assertThat(lease.requests).containsExactly("read", "create", "replace", "close");
        assertThat(me.leads()).isFalse();
        renewal.ends();
        assertThat(lease.requests).containsExactly("read", "create", "replace", "close");
        assertThat(lease.stored).get().returns(true, it -> it.isHeldBy("me"));
        assertThat(me.leads()).isFalse();
    }

    private Leadership candidate(String identity, List<Event> sink) {
        return new Leadership(
                lease.forOne(),
                SETTINGS,
                identity,
                () -> couldAct,
                clock.clock(),
                new ClockComparison(clock.clock()),
                sink::add,
                (_, death) -> deaths.add(death));
    }

    private static LeaseRecord free() {
        return new LeaseRecord("", Duration.ZERO, Instant.EPOCH, Instant.EPOCH, 7);
    }
}

package dev.holdfast.operator.loop;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue of the engine's events. Any thread adds events; the engine's thread takes them.
 *
 * <p>No client of the API server can fill the queue. A watch that adds changes of cluster objects waits while 10,000 of
 * them do. Of the events of one policy that wait together, the newest of each type wins and takes the place of the
 * oldest. So an edit overtakes changes of cluster objects and events of other policies, which do not depend on it. An
 * edit overtakes no other event. A policy that is made and deleted before the engine gets it leaves no event. All other
 * events are rare, or limited by the number of moves in flight.
 *
 * <p>Example: the generations 1, 2 and 3 of a policy wait. The engine gets generation 3, with the note that it skips
 * others.
 */
public final class EventQueue {
    private static final int MOST_FACTS = 10_000;

    private final Semaphore roomForFacts = new Semaphore(MOST_FACTS);
    private volatile boolean stopped;

    /** Guards all fields below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition added = lock.newCondition();
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** The waiting events of policies that newer ones may still replace. */
    private final Map<PolicyId, Waiting.OfPolicy> replaceable = new HashMap<>();

    /**
     * The policies of which the engine has got events, or will get events that nothing replaces, but no removal after
     * them.
     */
    private final Set<PolicyId> known = new HashSet<>();

    private int size;

    /** What waits at one place in the queue. */
    private sealed interface Waiting {
        /** One event. */
        record One(Event event) implements Waiting {}

        /** Events of one policy, at most one of each type. */
        final class OfPolicy implements Waiting {
            private final PolicyId policy;
            private final List<Event.OfPolicy> events = new ArrayList<>();

            private OfPolicy(PolicyId policy) {
                this.policy = policy;
            }
        }
    }

    /**
     * Adds one event; may be called from any thread. Blocks only for a {@code ObjectChanged} (a changed cluster object)
     * while 10,000 of them wait: so the watches stop reading. After the stop, the queue accepts only the answers to
     * evictions.
     */
    public void offer(Event event) {
        if (event instanceof Event.ObjectChanged && !stopped) {
            roomForFacts.acquireUninterruptibly();
        }
        lock.lock();
        try {
            // Watches may still send events after the stop, when no thread takes them from the queue.
            if (!stopped || event instanceof Event.Answered) {
                add(event);
                added.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(Event event) {
        switch (event) {
            case Event.PolicyChanged changed -> ofPolicy(changed.policy().id(), changed);
            case Event.PolicyAcknowledged acknowledged -> ofPolicy(acknowledged.policy(), acknowledged);
            case Event.PolicyRemoved removed -> removed(removed);
            case Event.ObjectChanged changed -> one(changed);
            case Event.PauseChanged _,
                    Event.PauseRemoved _,
                    Event.ViewSynced _,
                    Event.ViewLost _,
                    Event.LeadershipGained _,
                    Event.LeadershipRegained _,
                    Event.LeadershipLost _,
                    Event.ModeCapped _,
                    Event.WallClockRead _,
                    Event.TimePassed _,
                    Event.NothingChanged _,
                    Event.TimeToCompare _,
                    Event.Confirmed _,
                    Event.ConfirmFailed _,
                    Event.ClaimRead _,
                    Event.DryRunAnswered _,
                    Event.Answered _,
                    Event.LedgerRead _,
                    Event.LedgerWritten _,
                    Event.LedgerNotWritten _,
                    Event.ClocksWritten _,
                    Event.Ending _ -> {
                // No edit that comes later overtakes it.
                replaceable.values().forEach(this::learn);
                replaceable.clear();
                one(event);
            }
        }
    }

    private void one(Event event) {
        waiting.addLast(new Waiting.One(event));
        size++;
    }

    private void ofPolicy(PolicyId policy, Event.OfPolicy event) {
        List<Event.OfPolicy> events = replaceable.computeIfAbsent(policy, this::newPlace).events;
        size -= events.size();
        merge(events, event);
        size += events.size();
    }

    /**
     * Adds the removal of a policy that the engine knows. The waiting events of any other policy are dropped. So
     * policies that come and go do not fill the queue.
     */
    private void removed(Event.PolicyRemoved removed) {
        if (known.contains(removed.policy())) {
            ofPolicy(removed.policy(), removed);
            return;
        }
        Optional.ofNullable(replaceable.remove(removed.policy())).ifPresent(place -> {
            size -= place.events.size();
            waiting.removeLastOccurrence(place);
        });
    }

    /**
     * Notes whether the engine knows a policy once it has taken the events at this place, which nothing replaces from
     * now on.
     */
    private void learn(Waiting.OfPolicy place) {
        if (place.events.getLast() instanceof Event.PolicyRemoved) {
            known.remove(place.policy);
        } else {
            known.add(place.policy);
        }
    }

    private Waiting.OfPolicy newPlace(PolicyId policy) {
        Waiting.OfPolicy place = new Waiting.OfPolicy(policy);
        waiting.addLast(place);
        return place;
    }

    /**
     * Adds an event of a policy to those that wait, and drops those that it replaces. An acknowledgement is never moved
     * before a generation that it followed: it must not apply to what the generation adds.
     */
    private static void merge(List<Event.OfPolicy> events, Event.OfPolicy event) {
        switch (event) {
            case Event.PolicyRemoved removed -> {
                // What came before the removal no longer matters.
                events.clear();
                events.add(removed);
            }
            case Event.PolicyChanged changed -> {
                int older = indexOf(events, Event.PolicyChanged.class);
                if (older < 0) {
                    events.add(changed);
                } else {
                    events.set(older, changed.skipping());
                }
            }
            case Event.PolicyAcknowledged acknowledged -> {
                events.removeIf(Event.PolicyAcknowledged.class::isInstance);
                events.add(acknowledged);
            }
        }
    }

    private static int indexOf(List<Event.OfPolicy> events, Class<? extends Event> type) {
        for (int i = 0; i < events.size(); i++) {
            if (type.isInstance(events.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Takes the next event; waits for one until the time is over. Returns empty if none came. */
    Optional<Event> poll(Duration atMost) throws InterruptedException {
        long left = Math.max(0, atMost.toNanos());
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                if (left <= 0) {
                    return Optional.empty();
                }
                left = added.awaitNanos(left);
            }
            return Optional.of(removeFirst());
        } finally {
            lock.unlock();
        }
    }

    private Event removeFirst() {
        size--;
        return switch (waiting.removeFirst()) {
            case Waiting.One(Event event) -> {
                if (event instanceof Event.ObjectChanged) {
                    roomForFacts.release();
                }
                yield event;
            }
            case Waiting.OfPolicy place -> {
                if (replaceable.remove(place.policy, place)) {
                    learn(place);
                }
                // Later events of the policy get another place, so that continuous edits delay no other event.
                place.events.reversed().forEach(event -> waiting.addFirst(new Waiting.One(event)));
                size++;
                yield removeFirst();
            }
        };
    }

    /** Takes all events that wait, in their order. */
    List<Event> drain() {
        lock.lock();
        try {
            List<Event> drained = new ArrayList<>();
            while (!waiting.isEmpty()) {
                drained.add(removeFirst());
            }
            return drained;
        } finally {
            lock.unlock();
        }
    }

    /** Stops the queue: see {@link #offer}. Wakes callers that wait for room in it. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
        roomForFacts.release(MOST_FACTS);
    }

    boolean isStopped() {
        return stopped;
    }

    /** {@return the number of events that wait} */
    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }
}

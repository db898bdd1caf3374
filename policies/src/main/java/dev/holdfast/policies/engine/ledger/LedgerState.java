package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The state of the ledger: whether this replica knows it, and which of its changes are written. Until it knows the
 * ledger, and while the ledger cannot be written, no pod is evicted.
 *
 * <p>The shell writes two objects in turns, and each at most once in 5 s. So a second write need not wait for the first
 * one to be 5 s old. Only announcements of moves, and brakes that open or close, use the second object at once. If
 * nothing changes any more, the second object is written too, so that both objects are equal.
 *
 * <p>Example: a change is written at 0 s, and moves are announced at 1 s and at 2 s. The first announcement is written
 * at 1 s, the second at 5 s.
 */
public final class LedgerState {
    /** The least time between two writes of one object. */
    private static final Duration PACE = Duration.ofSeconds(5);

    /** How long a change of a node waits if nothing else changes. */
    private static final Duration PACE_OF_NODES = Duration.ofMinutes(1);

    /** How long until the ledger is read again after the API server did not answer or refused. */
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** The number of objects that have a ledger each. */
    private static final int COPIES = 2;

    private final ChangeCounter changes;
    private final boolean configured;
    private Phase phase;
    private long readings;

    /** The revision that is being written; absent if none is. */
    private Optional<Long> writing = Optional.empty();

    /** The last write that was requested. */
    private Optional<Ledger> last = Optional.empty();

    /** The number of changes when the last write was requested; negative if something must be written anyway. */
    private long lastRevision = -1;

    /** The number of changes of nodes when the last write was requested. */
    private long lastOfNodes;

    private Instant lastWrite = Instant.EPOCH;
    private Instant writeBefore = Instant.EPOCH;

    /** Whether a brake opened or closed since the last write. */
    private boolean hurries;

    /** The number of objects that contain the last ledger. */
    private int copies;

    private record Lost(String why, Instant at) {}

    /** The last ledger that could not be read; empty if there was none. */
    private Optional<Lost> lost = Optional.empty();

    /** Why the last write failed; empty if it succeeded. */
    private Optional<String> problem = Optional.empty();

    private sealed interface Phase {
        /** This process keeps no ledger: it neither reads nor writes one. */
        record WithoutMemory() implements Phase {}

        /**
         * This replica does not lead, so another one may write.
         *
         * @param wasCurrent whether this replica knew the ledger when it stopped leading
         */
        record Following(boolean wasCurrent) implements Phase {}

        record Reading(long number) implements Phase {}

        record Failed(String why, Instant again) implements Phase {}

        /** The ledger was read, and is taken over when all views are synced. */
        record Read(LedgerReading reading) implements Phase {}

        record Current() implements Phase {}
    }

    /** @param remembers whether this process reads and writes a ledger */
    public LedgerState(boolean remembers, ChangeCounter changes) {
        this.changes = changes;
        this.configured = remembers;
        this.phase = remembers ? new Phase.Following(false) : new Phase.WithoutMemory();
    }

    /**
     * {@return the first stage of a new move: the ledger announces the move before its pod is read, unless this process
     * keeps no ledger}
     */
    public Move.Stage firstStage(Instant now) {
        // The move itself is the next change.
        return phase instanceof Phase.WithoutMemory
                ? new Move.Stage.Confirming(now)
                : new Move.Stage.Recording(now, changes.changes() + 1);
    }

    /** {@return the hold of all violations of enforced rules; empty while the ledger is known and can be written} */
    public Optional<Hold> hold() {
        return switch (phase) {
            case Phase.WithoutMemory _, Phase.Following _ -> Optional.empty();
            case Phase.Reading _, Phase.Read _ ->
                Optional.of(Hold.untilChange(
                        Reason.LEDGER_UNREAD,
                        "the ledger of earlier moves and brakes is not read yet; if this lasts, let the operator read"
                                + " its ConfigMaps and list all objects that it watches"));
            case Phase.Failed(String why, var _) ->
                Optional.of(Hold.untilChange(
                        Reason.LEDGER_UNREAD, "the ledger of earlier moves and brakes cannot be read: " + why));
            case Phase.Current _ ->
                problem.map(why -> Hold.untilChange(
                        Reason.LEDGER_UNWRITTEN, "no move is begun that a restart would forget: " + why));
        };
    }

    /**
     * {@return whether this replica, if it leads, knows all that earlier leaders stored, so that its reports about
     * breakers and backlogs, and their ids, stay true}
     */
    public boolean isKnown() {
        return phase instanceof Phase.WithoutMemory || isCurrent();
    }

    /** Records that this process leads without the ledger of earlier ones, because it cannot be read. */
    void lost(String why, Instant now) {
        lost = Optional.of(new Lost(why, now));
    }

    /**
     * {@return until when violations may wait because the ledger of an earlier process could not be read; empty if it
     * was read, or after that time}
     *
     * @param forgiveness the longest forgiveness of these violations
     */
    public Optional<Instant> waitsForLostLedger(Duration forgiveness, Instant now) {
        return lost.map(it -> it.at().plus(forgiveness)).filter(now::isBefore);
    }

    /**
     * {@return the message that the ledger of an earlier process could not be read; empty if it was read}
     *
     * @param until until when violations may wait because of the lost ledger
     * @param policy the policy whose readers see the text: only readers of a cluster policy see the reason, which names
     *     objects of the operator's namespace
     */
    public Optional<String> lostLedger(Instant until, PolicyId policy) {
        return lost.map(it -> "the ledger of earlier breakers, limits and clocks was lost at " + second(it.at())
                + (policy.isOfCluster() ? ": " + it.why() : "")
                + ". Earlier violations wait for a full forgiveness, until " + second(until)
                + " at the latest. Many of them together need an acknowledgement");
    }

    private static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** Records that the ledger of earlier processes was read. */
    void found() {
        lost = Optional.empty();
    }

    /** Returns the number of the next reading, which begins now. */
    long read() {
        readings++;
        phase = new Phase.Reading(readings);
        return readings;
    }

    /** {@return whether this process should have a ledger, even if it found no place for one} */
    boolean isConfigured() {
        return configured;
    }

    /** {@return whether this process reads and writes a ledger} */
    private boolean remembers() {
        return !(phase instanceof Phase.WithoutMemory);
    }

    /** {@return whether the answer is for the last reading, which then ends} */
    boolean answered(long number, LedgerReading reading, Instant now) {
        boolean awaited = phase.equals(new Phase.Reading(number));
        if (awaited) {
            phase = switch (reading) {
                case LedgerReading.Found _, LedgerReading.Unreadable _ -> new Phase.Read(reading);
                case LedgerReading.Failed(String why) -> new Phase.Failed(why, now.plus(RETRY));
                case LedgerReading.NoMemory _ -> new Phase.WithoutMemory();
            };
        }
        return awaited;
    }

    /** {@return the answer that waits to be taken over; empty if there is none} */
    Optional<LedgerReading> waiting() {
        return phase instanceof Phase.Read(LedgerReading reading) ? Optional.of(reading) : Optional.empty();
    }

    /** {@return whether the next reading is due, because the last reading failed} */
    boolean mustReadAgain(Instant now) {
        return phase instanceof Phase.Failed(var _, Instant again) && !now.isBefore(again);
    }

    /** Records that this process knows the ledger, and writes it from now on. */
    void current() {
        phase = new Phase.Current();
        writing = Optional.empty();
        last = Optional.empty();
        lastRevision = -1;
        copies = 0;
        problem = Optional.empty();
    }

    /** {@return whether this process knows the ledger and writes it} */
    boolean isCurrent() {
        return phase instanceof Phase.Current;
    }

    /** Records that another replica may write the ledger from now on. */
    void follow() {
        if (remembers()) {
            phase = new Phase.Following(isCurrent() || wasCurrent());
        }
    }

    /** {@return whether this replica does not lead now, and knew the ledger when it stopped leading} */
    boolean wasCurrent() {
        return phase instanceof Phase.Following(boolean was) && was;
    }

    /** {@return whether something changed since the last write, or an object does not have the last ledger} */
    private boolean isBehind() {
        return lastRevision != changes.changes() || problem.isPresent() || copies < COPIES;
    }

    /** Records that a brake opened or closed, so that the next write does not wait. */
    void hurry() {
        hurries = true;
    }

    /** Records that the written ledger is outdated although nothing changed. */
    void writeAnyway() {
        lastRevision = -1;
    }

    /**
     * {@return when the next write may be made; empty if there is nothing to write, or while a write is not answered}
     */
    private Optional<Instant> nextWrite(boolean announces) {
        if (!isCurrent() || writing.isPresent()) {
            return Optional.empty();
        }
        if (isBehind()) {
            return Optional.of((announces || hurries ? writeBefore : lastWrite).plus(PACE));
        }
        return lastOfNodes != changes.ofNodes() ? Optional.of(lastWrite.plus(PACE_OF_NODES)) : Optional.empty();
    }

    boolean mayWrite(boolean announces, Instant now) {
        return nextWrite(announces).filter(at -> !now.isBefore(at)).isPresent();
    }

    /** Forgets the last write, so that the next ledger is written in any case. */
    void forgetWrites() {
        last = Optional.empty();
    }

    /**
     * Records that a ledger is written now, unless all objects have it. After a change of a node, the ledger is written
     * anyway, because the time of the write shows until when the domains were watched.
     *
     * @return the revision to write; empty if all objects have the ledger
     */
    Optional<Long> write(Ledger ledger, Instant now) {
        lastRevision = changes.changes();
        hurries = false;
        boolean same =
                lastOfNodes == changes.ofNodes() && last.filter(ledger::equals).isPresent();
        lastOfNodes = changes.ofNodes();
        if (same && copies >= COPIES && problem.isEmpty()) {
            return Optional.empty();
        }
        copies = same ? copies : 0;
        last = Optional.of(ledger);
        writing = Optional.of(lastRevision);
        writeBefore = lastWrite;
        lastWrite = now;
        return writing;
    }

    /** {@return whether the last write failed} */
    boolean hasFailed() {
        return problem.isPresent();
    }

    /** {@return whether the answer is for the write in progress, which then ends} */
    boolean written(long revision) {
        boolean awaited = writing.filter(it -> it == revision).isPresent();
        if (awaited) {
            writing = Optional.empty();
            problem = Optional.empty();
            copies++;
        }
        return awaited;
    }

    /** {@return whether the answer is for the write in progress, which then failed and is tried again} */
    boolean notWritten(long revision, String why) {
        boolean awaited = writing.filter(it -> it == revision).isPresent();
        if (awaited) {
            writing = Optional.empty();
            problem = Optional.of(why);
        }
        return awaited;
    }

    /** {@return when to act next if no event comes; empty if there is nothing to do} */
    Optional<Instant> nextLook(boolean announces) {
        return phase instanceof Phase.Failed(var _, Instant again) ? Optional.of(again) : nextWrite(announces);
    }
}

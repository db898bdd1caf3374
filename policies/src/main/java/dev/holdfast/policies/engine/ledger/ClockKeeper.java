package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.ClockShard;
import dev.holdfast.policies.engine.protocol.ledger.ClockWrite;
import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.ClockShards;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps the clocks of enforced rules in the ledger. While any clock runs, the keeper writes every 5 s: the parts that
 * changed, and until when the clocks of all other parts ran. So a restart delays an eviction by at most 5 s plus the
 * time in which no operator ran. If no clock runs, nothing is written.
 */
final class ClockKeeper {
    private static final Duration PACE = Duration.ofSeconds(5);

    private final LedgerState state;
    private final Readiness readiness;
    private final ClockShards shards;
    private final ClockRecall recall;

    /** The parts that may have clocks in the ledger. */
    private final BitSet stored = new BitSet(ClockShards.NUMBER);

    private Instant last = Instant.EPOCH;

    /** The number of the last write. */
    private long number;

    /** Whether the last write has no answer yet. */
    private boolean writing;

    ClockKeeper(LedgerState state, Readiness readiness, ViolationBook book, ClockRecall recall) {
        this.state = state;
        this.readiness = readiness;
        this.shards = book.clockShards();
        this.recall = recall;
    }

    /** Takes over clocks of an earlier process, and writes all parts from now on. */
    void takeOver(List<ClockShard> clocks, Duration steadyAhead) {
        recall.recall(clocks, steadyAhead);
        shards.allChanged();
        stored.set(0, ClockShards.NUMBER);
        last = Instant.EPOCH;
        writing = false;
    }

    /** Takes the answer to a write: the parts that could not be written are written again. */
    void written(Event.ClocksWritten answer) {
        if (answer.number() == number) {
            writing = false;
            answer.failed().forEach(shards::changed);
        }
    }

    /** Writes the clocks if that is due. */
    void run(Instant now, List<Effect> effects) {
        if (nextLook().filter(at -> !now.isBefore(at)).isPresent()) {
            write(now, effects);
        }
    }

    /** Writes all clocks now, because this process ends. */
    void end(Instant now, List<Effect> effects) {
        if (mayWrite()) {
            shards.allChanged();
            write(now, effects);
        }
    }

    /** {@return when the next write is due; empty if there is nothing to write, or while a write is not answered} */
    Optional<Instant> nextLook() {
        return mayWrite() && !writing && (shards.isAnyChanged() || !stored.isEmpty())
                ? Optional.of(last.plus(PACE))
                : Optional.empty();
    }

    /**
     * {@return whether clocks may be written} While a view is missing, this process does not observe, so no clock is
     * known to run.
     */
    private boolean mayWrite() {
        return state.isCurrent() && readiness.views().all();
    }

    private void write(Instant now, List<Effect> effects) {
        last = now;
        Map<Integer, List<RememberedClock>> clocks = recall.isWorthwhile() ? recall.remembered(shards, now) : Map.of();
        Map<Integer, List<RememberedClock>> changed = new TreeMap<>();
        Set<Integer> unchanged = new TreeSet<>();
        for (int shard = 0; shard < ClockShards.NUMBER; shard++) {
            if (shards.isChanged(shard)) {
                List<RememberedClock> ofShard = clocks.getOrDefault(shard, List.of());
                if (!ofShard.isEmpty() || stored.get(shard)) {
                    changed.put(shard, List.copyOf(ofShard));
                }
                stored.set(shard, !ofShard.isEmpty());
                shards.stored(shard);
            } else if (stored.get(shard)) {
                unchanged.add(shard);
            }
        }
        if (!changed.isEmpty() || !unchanged.isEmpty()) {
            writing = true;
            number++;
            effects.add(new Effect.WriteClocks(new ClockWrite(number, now, changed, unchanged)));
        }
    }
}

package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.ledger.ClockShard;
import dev.holdfast.policies.engine.ledger.ClockWrite;
import dev.holdfast.policies.engine.ledger.RememberedClock;
import dev.holdfast.policies.forgive.ClockShards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the clocks in five ConfigMaps, and the heartbeat in another. The heartbeat says until when the clocks of
 * unchanged parts ran, so that these need not be written again. Used by one thread at a time.
 *
 * <p>Example: part 2 is written at 10:00:00 with a clock that has run for 90 s. At 10:00:20 the heartbeat says that part 2
 * still holds. Then the clock has run for 110 s until 10:00:20.
 */
final class ClockStorage {
    private static final Logger LOG = LoggerFactory.getLogger(ClockStorage.class);

    private final LedgerObjects objects;

    /** The names of the ConfigMaps: one for each part, and the heartbeat's. */
    private final List<String> names;

    /** The last write of each part by this process; 0 if none succeeded. */
    private final long[] written = new long[ClockShards.NUMBER];

    private long writes;
    private boolean failing;

    /** @param first the number of the first ConfigMap in its name */
    ClockStorage(LedgerObjects objects, String name, int first) {
        this.objects = objects;
        this.names = IntStream.rangeClosed(first, first + ClockShards.NUMBER)
                .mapToObj(number -> name + "-" + number)
                .toList();
    }

    private String heartbeat() {
        return names.get(ClockShards.NUMBER);
    }

    /**
     * Reads the clocks. A part that cannot be read is left out: its clocks start again.
     *
     * @param term the term of the leader whose clocks count; those of an earlier one are outdated
     */
    List<ClockShard> read(long term, ServerTime time) {
        Optional<StoredHeartbeat> beat = part(StoredHeartbeat.class, heartbeat(), term, time)
                .filter(it -> it.writes().size() == ClockShards.NUMBER);
        List<ClockShard> shards = new ArrayList<>();
        for (int shard = 0; shard < ClockShards.NUMBER; shard++) {
            int number = shard;
            part(StoredClocks.class, names.get(shard), term, time)
                    .ifPresent(it -> shards.add(extended(it, beat, number)));
        }
        return shards;
    }

    private <T extends Stored> Optional<T> part(Class<T> part, String name, long term, ServerTime time) {
        return switch (objects.read(part, name, time)) {
            case LedgerObjects.Reading.Found<T>(T found) -> Optional.of(found).filter(it -> it.term() == term);
            case LedgerObjects.Reading.Empty<T> _ -> Optional.empty();
            case LedgerObjects.Reading.Missing<T>(String why) -> leftOut(why);
            case LedgerObjects.Reading.Unreadable<T>(String why) -> leftOut(why);
            case LedgerObjects.Reading.Failed<T>(String why) -> leftOut(why);
            case LedgerObjects.Reading.GoWithout<T>(String why) -> leftOut(why);
        };
    }

    private static <T> Optional<T> leftOut(String why) {
        LOG.atWarn().addKeyValue("reason", why).log("Some clocks cannot be read and start again");
        return Optional.empty();
    }

    private static ClockShard extended(StoredClocks stored, Optional<StoredHeartbeat> beat, int shard) {
        Optional<Instant> until = beat.filter(it -> it.writes().get(shard) == stored.write())
                .map(StoredHeartbeat::at)
                .filter(stored.at()::isBefore);
        if (until.isEmpty()) {
            return new ClockShard(stored.clocks(), stored.at());
        }
        Duration more = Duration.between(stored.at(), until.get());
        return new ClockShard(
                stored.clocks().stream().map(clock -> longer(clock, more)).toList(), until.get());
    }

    private static RememberedClock longer(RememberedClock clock, Duration more) {
        return new RememberedClock(
                clock.podUid(),
                clock.rule(),
                clock.policy(),
                clock.version(),
                clock.forgiveness(),
                clock.observed().plus(more));
    }

    /** Writes the changed parts, and the heartbeat of the others. Returns the parts that could not be written. */
    Set<Integer> write(ClockWrite clocks, ServerTime time) {
        writes++;
        Set<Integer> failed = new TreeSet<>();
        List<String> problems = new ArrayList<>();
        clocks.changed().forEach((shard, ofShard) -> {
            Optional<String> problem = objects.write(
                    names.get(shard),
                    uid -> new StoredClocks(
                            Stored.FORMAT, Stored.FORMAT, uid, objects.term(), writes, clocks.at(), ofShard),
                    time);
            written[shard] = problem.isEmpty() ? writes : 0;
            problem.ifPresent(why -> {
                failed.add(shard);
                problems.add(why);
            });
        });
        List<Long> beats = IntStream.range(0, ClockShards.NUMBER)
                .mapToObj(shard -> clocks.unchanged().contains(shard) ? written[shard] : 0L)
                .toList();
        // A new leader writes all parts, and with them the heartbeat, which is of an earlier one.
        boolean isFirst = clocks.changed().size() == ClockShards.NUMBER;
        if (isFirst || beats.stream().anyMatch(write -> write > 0)) {
            objects.write(
                            heartbeat(),
                            uid -> new StoredHeartbeat(
                                    Stored.FORMAT, Stored.FORMAT, uid, objects.term(), clocks.at(), beats),
                            time)
                    .ifPresent(problems::add);
        }
        log(problems);
        return failed;
    }

    /** Logs a failure once, until a write succeeds again: there is one every 5 s. */
    private void log(List<String> problems) {
        if (!problems.isEmpty() && !failing) {
            LOG.atWarn()
                    .addKeyValue("reason", problems.getFirst())
                    .log("Failed to write clocks: after a restart they would start again");
        }
        failing = !problems.isEmpty();
    }
}

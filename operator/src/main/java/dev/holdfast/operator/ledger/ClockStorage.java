package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.protocol.ledger.ClockShard;
import dev.holdfast.policies.engine.protocol.ledger.ClockWrite;
import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import dev.holdfast.policies.forgive.ClockShards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the clocks in five ConfigMaps, and the heartbeat in another. The heartbeat says until when the clocks of
 * unchanged parts ran, so that these need not be written again. Used by one thread at a time.
 *
 * <p>Example: part 2 is written at 10:00:00 with a clock that has run for 90 s. At 10:00:20 the heartbeat says that
 * part 2 still holds. Then the clock has run for 110 s until 10:00:20.
 */
final class ClockStorage {
    private static final Logger LOG = LoggerFactory.getLogger(ClockStorage.class);

    /** The number of clocks for which a ConfigMap surely has room, even if all names are as long as possible. */
    private static final int SURELY_FIT = 500;

    private final LedgerObjects objects;

    /** The names of the ConfigMaps: one for each part, and the heartbeat's. */
    private final List<String> names;

    /** The last write of each part by this process; a part is absent if its last write failed. */
    private final Map<Integer, Written> written = new HashMap<>();

    private long writes;
    private boolean failing;

    private record Written(long write, Instant at) {}

    /**
     * The end of the write of a part.
     *
     * @param problem why the part could not be written; empty if it was written
     */
    private record PartWrite(int shard, Optional<String> problem) {}

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
     * The clocks, and what keeps them from being read.
     *
     * @param shards the parts that can be read
     * @param written whether any of the ConfigMaps was ever written
     * @param failure why the API server did not say what the ConfigMaps have; empty if the API server did
     */
    record Read(List<ClockShard> shards, boolean written, Optional<String> failure) {}

    /**
     * Reads the clocks. A part that cannot be decoded is left out: its clocks start again.
     *
     * @param term the term of the leader whose clocks count; clocks of an earlier term are outdated
     */
    Read read(long term, ServerTime time) {
        List<LedgerObjects.Reading<StoredClocks>> parts = Concurrently.map(
                names.stream().limit(ClockShards.NUMBER), name -> objects.read(StoredClocks.class, name, time));
        LedgerObjects.Reading<StoredHeartbeat> beat = objects.read(StoredHeartbeat.class, heartbeat(), time);
        Optional<StoredHeartbeat> counting = counting(beat, term)
                .filter(it -> it.parts().size() == ClockShards.NUMBER && !time.isFuture(it.atMillis()));
        List<ClockShard> shards = new ArrayList<>();
        for (int shard = 0; shard < ClockShards.NUMBER; shard++) {
            Optional<StoredHeartbeat.Beat> own = beatOf(shard, counting);
            counting(parts.get(shard), term)
                    .filter(it -> !time.isFuture(it.atMillis()))
                    .map(it -> shard(it, own, counting, time))
                    .ifPresent(shards::add);
        }
        return new Read(
                shards,
                parts.stream().anyMatch(LedgerObjects.Reading::isWritten) || beat.isWritten(),
                Stream.concat(parts.stream(), Stream.of(beat))
                        .flatMap(it -> it.failure().stream())
                        .findFirst());
    }

    private static Optional<StoredHeartbeat.Beat> beatOf(int shard, Optional<StoredHeartbeat> beat) {
        return beat.map(it -> it.parts().get(shard));
    }

    private static <T extends Stored> Optional<T> counting(LedgerObjects.Reading<T> reading, long term) {
        reading.problem()
                .ifPresent(why ->
                        LOG.atWarn().addKeyValue("reason", why).log("Some clocks cannot be read and start again"));
        return reading.found().filter(it -> it.term() == term);
    }

    private static ClockShard shard(
            StoredClocks stored,
            Optional<StoredHeartbeat.Beat> beat,
            Optional<StoredHeartbeat> heartbeat,
            ServerTime time) {
        Optional<StoredHeartbeat.Beat> own = beat.filter(it -> it.write() == stored.write());
        if (own.isEmpty()) {
            return new ClockShard(stored.clocks(), time.toSteady(Instant.ofEpochMilli(stored.atMillis())));
        }
        Duration more = own.get().more();
        return new ClockShard(
                stored.clocks().stream().map(clock -> clock.and(more)).toList(),
                time.toSteady(Instant.ofEpochMilli(heartbeat.orElseThrow().atMillis())));
    }

    /** Writes the changed parts, and the heartbeat of the others. Returns the parts that could not be written. */
    Set<Integer> write(ClockWrite clocks, ServerTime time) {
        writes++;
        Set<Integer> failed = new TreeSet<>();
        List<String> problems = new ArrayList<>();
        long atMillis = time.toServer(clocks.at()).toEpochMilli();
        List<PartWrite> parts = Concurrently.map(
                clocks.changed().entrySet().stream(),
                part -> new PartWrite(part.getKey(), write(part.getKey(), part.getValue(), atMillis, time)));
        for (PartWrite part : parts) {
            written.remove(part.shard());
            part.problem()
                    .ifPresentOrElse(
                            why -> {
                                failed.add(part.shard());
                                problems.add(why);
                            },
                            () -> written.put(part.shard(), new Written(writes, clocks.at())));
        }
        List<StoredHeartbeat.Beat> beats = IntStream.range(0, ClockShards.NUMBER)
                .mapToObj(shard -> beat(shard, clocks))
                .toList();
        // A new leader writes all parts, and with them the heartbeat, which is of an earlier one.
        boolean isFirst = clocks.changed().size() == ClockShards.NUMBER;
        if (isFirst || beats.stream().anyMatch(beat -> beat.write() > 0)) {
            objects.write(
                            heartbeat(),
                            uid -> new StoredHeartbeat(
                                    Stored.FORMAT, Stored.FORMAT, uid, objects.term(), atMillis, beats),
                            time)
                    .ifPresent(problems::add);
        }
        log(problems);
        return failed;
    }

    private Optional<String> write(int shard, List<RememberedClock> clocks, long atMillis, ServerTime time) {
        List<RememberedClock> stored = fitting(clocks, atMillis, time);
        return objects.write(
                names.get(shard),
                uid -> new StoredClocks(Stored.FORMAT, Stored.FORMAT, uid, objects.term(), writes, atMillis, stored),
                time);
    }

    /** {@return the clocks that a ConfigMap has room for: of too many, those that are due first} */
    private static List<RememberedClock> fitting(List<RememberedClock> clocks, long atMillis, ServerTime time) {
        List<RememberedClock> fewer = clocks;
        while (fewer.size() > SURELY_FIT
                && !LedgerObjects.fits(new StoredClocks(1, 1, LedgerObjects.NO_UID, 0, 0, atMillis, fewer), time)) {
            fewer = fewer.subList(0, fewer.size() * 3 / 4);
        }
        return fewer;
    }

    private StoredHeartbeat.Beat beat(int shard, ClockWrite clocks) {
        Written last = written.get(shard);
        return last == null || !clocks.unchanged().contains(shard)
                ? StoredHeartbeat.Beat.NONE
                : new StoredHeartbeat.Beat(last.write(), Duration.between(last.at(), clocks.at()));
    }

    /** Logs a failure once, until a write succeeds again: there is a write every 5 s. */
    private void log(List<String> problems) {
        if (!problems.isEmpty() && !failing) {
            LOG.atWarn()
                    .addKeyValue("reason", problems.getFirst())
                    .log("Failed to write clocks. If the operator restarts before a write succeeds, clocks may start"
                            + " from zero");
        }
        failing = !problems.isEmpty();
    }
}

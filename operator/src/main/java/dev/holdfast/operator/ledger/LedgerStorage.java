package dev.holdfast.operator.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.operator.evict.LeaseFence;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the ledger in eight ConfigMaps. Two have moves, limits and brakes, and are written in turns. The newer one
 * that can be read counts, so a write that is cut off, or one spoiled object, loses at most the last change. The other
 * six have the clocks ({@link ClockStorage}). May be called from any thread.
 */
public final class LedgerStorage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerStorage.class);

    private final LedgerObjects objects;
    private final List<String> names;
    private final ClockStorage clocks;
    private final LedgerNote note;
    private final WhenMissing whenMissing;
    private final String namespace;
    private final Supplier<Optional<Duration>> steadyAhead;
    private final InstantSource clock;

    @GuardedBy("this")
    private long writes;

    /** The index of the name that is written next. */
    @GuardedBy("this")
    private int next;

    /** The instant before which a ledger is outdated: this replica has begun to read or write a later one. */
    @GuardedBy("this")
    private Instant newest = Instant.MIN;

    @GuardedBy("this")
    private String lastProblem = "";

    /**
     * A storage with its own connection.
     *
     * @param namespace the operator's own namespace
     * @param name the names of the ConfigMaps without their numbers
     * @param leaseFence checked right before each write
     * @param note where the last write is noted too
     * @param steadyAhead how far the engine's clock is ahead of the API server's; empty before they were compared
     * @param clock the engine's clock
     */
    public LedgerStorage(
            Config connection,
            String namespace,
            String name,
            WhenMissing whenMissing,
            LeaseFence leaseFence,
            LedgerNote note,
            Supplier<Optional<Duration>> steadyAhead,
            InstantSource clock) {
        this(
                new KubernetesLedger(connection, namespace),
                namespace,
                name,
                whenMissing,
                leaseFence,
                note,
                steadyAhead,
                clock);
    }

    LedgerStorage(
            LedgerApi api,
            String namespace,
            String name,
            WhenMissing whenMissing,
            LeaseFence leaseFence,
            LedgerNote note,
            Supplier<Optional<Duration>> steadyAhead,
            InstantSource clock) {
        this.note = note;
        this.whenMissing = whenMissing;
        this.namespace = namespace;
        this.objects = new LedgerObjects(api, namespace, whenMissing, leaseFence);
        this.names = List.of(name + "-0", name + "-1");
        this.clocks = new ClockStorage(objects, name, names.size());
        this.steadyAhead = steadyAhead;
        this.clock = clock;
    }

    /**
     * Reads the ledger once in advance. The reading opens the connection and loads classes, so a takeover is faster.
     * Does nothing if this process makes missing ConfigMaps itself.
     */
    public synchronized void warmUp() {
        if (whenMissing == WhenMissing.HOLD) {
            time().ifPresent(time -> {
                Concurrently.map(names.stream(), name -> objects.read(StoredLedger.class, name, time));
                synchronized (clocks) {
                    clocks.read(0, time);
                }
            });
        }
    }

    /** Reads the ledger, and returns the reading for the engine. */
    public synchronized Event.LedgerRead read(Effect.ReadLedger asked) {
        // The write of an earlier lead may still wait for its turn.
        newest = clock.instant();
        Optional<Duration> ahead = steadyAhead.get();
        LedgerReading reading = ahead.isPresent()
                ? read(new ServerTime(ahead.get(), clock.instant()))
                : new LedgerReading.Failed("the clock of the API server is not known yet");
        log(reading);
        return new Event.LedgerRead(asked.number(), reading, ahead.orElse(Duration.ZERO));
    }

    @GuardedBy("this")
    private void log(LedgerReading reading) {
        switch (reading) {
            case LedgerReading.Found(var _, var _, var shards) ->
                LOG.atInfo()
                        .addKeyValue(
                                "clocks",
                                shards.stream()
                                        .mapToInt(shard -> shard.clocks().size())
                                        .sum())
                        .log("Read the ledger");
            case LedgerReading.Unreadable(String why) ->
                LOG.atError()
                        .addKeyValue("reason", why)
                        .log("The ledger cannot be read. Every violation waits for a full forgiveness, and many of them"
                                + " together need an acknowledgement");
            case LedgerReading.Failed(String why) -> complain("Failed to read the ledger", why);
            case LedgerReading.NoMemory(String why) ->
                LOG.atWarn()
                        .addKeyValue("reason", why)
                        .log("Acting without a ledger: a restart forgets clocks, moves, limits and open breakers");
        }
    }

    /** Logs a problem once, and not each time that it is met again. */
    @GuardedBy("this")
    private void complain(String what, String why) {
        if (!why.equals(lastProblem)) {
            LOG.atWarn().addKeyValue("reason", why).log(what);
        }
        lastProblem = why;
    }

    private Optional<ServerTime> time() {
        return steadyAhead.get().map(ahead -> new ServerTime(ahead, clock.instant()));
    }

    @GuardedBy("this")
    private LedgerReading read(ServerTime time) {
        Map<String, LedgerObjects.Reading<StoredLedger>> readings = new LinkedHashMap<>();
        List<LedgerObjects.Reading<StoredLedger>> copies =
                Concurrently.map(names.stream(), name -> objects.read(StoredLedger.class, name, time));
        for (int copy = 0; copy < names.size(); copy++) {
            readings.put(names.get(copy), copies.get(copy));
        }
        Optional<StoredLedger> newest =
                readings.values().stream().flatMap(it -> it.found().stream()).max(StoredLedger.BY_AGE);
        ClockStorage.Read ofClocks;
        synchronized (clocks) {
            ofClocks = clocks.read(newest.map(StoredLedger::term).orElse(0L), time);
        }
        Optional<String> failure = readings.values().stream()
                .flatMap(it -> it.failure().stream())
                .findFirst()
                .or(ofClocks::failure);
        if (failure.isPresent()) {
            return new LedgerReading.Failed(failure.get());
        }
        List<String> problems = readings.values().stream()
                .flatMap(it -> it.problem().stream())
                .distinct()
                .toList();
        if (readings.values().stream().allMatch(LedgerObjects.Reading.Missing.class::isInstance)) {
            return new LedgerReading.Failed(
                    String.join(", ", problems) + ": install the chart again, which makes them");
        }
        boolean isPlaced = readings.values().stream().noneMatch(LedgerObjects.Reading.NoPlace.class::isInstance);
        if (newest.isEmpty() && !isPlaced) {
            note.write(WriteNumber.none());
            return new LedgerReading.NoMemory(String.join(", ", problems));
        }
        objects.begin();
        writes = 0;
        lastProblem = "";
        boolean later = readings.values().stream()
                .anyMatch(it -> it instanceof LedgerObjects.Reading.Unreadable<StoredLedger>(var _, boolean isLater)
                        && isLater);
        Optional<WriteNumber> noted = note.read();
        if (newest.isEmpty() || later) {
            return withoutMoves(problems, ofClocks.written(), noted);
        }
        WriteNumber found =
                new WriteNumber(namespace, newest.get().term(), newest.get().write());
        boolean oneIsLost = readings.values().stream().anyMatch(it -> it.found().isEmpty());
        if (noted.filter(last -> isOutdated(found, last, oneIsLost)).isPresent()) {
            return new LedgerReading.Unreadable(
                    "it is of write " + found + ", and the lease says that " + noted.get() + " was the last");
        }
        problems.forEach(problem -> LOG.atWarn()
                .addKeyValue("reason", problem)
                .log("One of two copies of the ledger cannot be read; using the other"));
        // The other one is written first, so that one of both is always whole.
        next = readings.entrySet().stream()
                .filter(it -> !it.getValue().found().equals(newest))
                .map(it -> names.indexOf(it.getKey()))
                .findFirst()
                .orElse(0);
        return new LedgerReading.Found(newest.get().ledger(), newest.get().written(), ofClocks.shards());
    }

    /** {@return whether a ledger is from a backup, or another one was written since, for example by another release} */
    private static boolean isOutdated(WriteNumber found, WriteNumber noted, boolean oneIsLost) {
        return !found.namespace().equals(noted.namespace())
                || (WriteNumber.BY_AGE.compare(found, noted) < 0 && !(oneIsLost && found.isJustBefore(noted)));
    }

    /**
     * {@return the reading if no copy says what earlier processes did} If clocks were written, or the lease names a
     * write, copies without data were emptied or made again.
     */
    private static LedgerReading withoutMoves(
            List<String> problems, boolean clocksWritten, Optional<WriteNumber> noted) {
        if (!problems.isEmpty()) {
            return new LedgerReading.Unreadable(String.join(", ", problems));
        }
        if (noted.isPresent()) {
            return new LedgerReading.Unreadable("it has no data, and the lease says that " + noted.get()
                    + " was the last write, maybe of an earlier installation");
        }
        return clocksWritten
                ? new LedgerReading.Unreadable("its data was removed")
                : new LedgerReading.Found(Ledger.empty(), Instant.EPOCH);
    }

    /**
     * Writes the ledger without the clocks, and returns whether that succeeded. Refuses a ledger that is older than the
     * last one: a thread that waited for long would replace newer announcements.
     */
    public synchronized Event write(Effect.WriteLedger asked) {
        Optional<ServerTime> time = time();
        Optional<String> problem;
        if (asked.at().isBefore(newest)) {
            problem = Optional.of(
                    "the ledger of " + asked.at() + " is outdated: one of " + newest + " was read or written");
        } else if (time.isEmpty()) {
            problem = Optional.of("the clock of the API server is not known");
        } else {
            newest = asked.at();
            problem = write(asked, time.get());
        }
        if (problem.isPresent()) {
            complain("Failed to write the ledger", problem.get());
        } else {
            lastProblem = "";
        }
        return problem.<Event>map(why -> new Event.LedgerNotWritten(asked.revision(), why))
                .orElseGet(() -> new Event.LedgerWritten(asked.revision()));
    }

    /** {@return why neither ConfigMap could be written; empty if one was} */
    @GuardedBy("this")
    private Optional<String> write(Effect.WriteLedger asked, ServerTime time) {
        long number = writes + 1;
        Ledger written = fitting(asked.ledger(), time);
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(next);
            next = (next + 1) % names.size();
            Optional<String> problem = objects.write(
                    name,
                    uid -> new StoredLedger(
                            Stored.FORMAT, Stored.FORMAT, uid, objects.term(), number, asked.at(), written),
                    time);
            if (problem.isEmpty()) {
                writes = number;
                note.write(new WriteNumber(namespace, objects.term(), number));
                return Optional.empty();
            }
            problems.add(problem.get());
        }
        return Optional.of(problems.stream()
                .distinct()
                .reduce((one, other) -> one + ", " + other)
                .orElseThrow());
    }

    /** {@return the ledger, or as much of it as a ConfigMap has room for} */
    private static Ledger fitting(Ledger ledger, ServerTime time) {
        return Stream.concat(Stream.of(ledger), ledger.smaller().stream())
                .filter(it ->
                        LedgerObjects.fits(new StoredLedger(1, 1, LedgerObjects.NO_UID, 0, 0, time.now(), it), time))
                .findFirst()
                .orElse(ledger);
    }

    /**
     * Writes clocks, and returns which could not be written. A slow write of clocks keeps no move waiting: it does not
     * exclude {@link #write}.
     */
    public Event.ClocksWritten writeClocks(Effect.WriteClocks asked) {
        synchronized (clocks) {
            return new Event.ClocksWritten(
                    asked.write().number(),
                    time().map(time -> clocks.write(asked.write(), time))
                            .orElse(asked.write().changed().keySet()));
        }
    }

    /** {@return when a part of the ledger was last written; empty if this process has written none} */
    public Optional<Instant> lastWrite() {
        return objects.lastWrite();
    }

    @Override
    public void close() {
        objects.close();
    }
}

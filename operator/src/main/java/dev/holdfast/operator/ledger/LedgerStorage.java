package dev.holdfast.operator.ledger;

import dev.holdfast.operator.evict.LeaseFence;
import dev.holdfast.policies.engine.ledger.Ledger;
import dev.holdfast.policies.engine.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the ledger in eight ConfigMaps. Two have moves, limits and brakes, and are written in turns. The newer one that
 * can be read counts, so a write that is cut off, or one spoiled object, loses at most the last change. The other six have
 * the clocks ({@link ClockStorage}). May be called from any thread.
 */
public final class LedgerStorage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerStorage.class);

    private final LedgerObjects objects;
    private final List<String> names;
    private final ClockStorage clocks;
    private final Supplier<Optional<Duration>> steadyAhead;
    private final InstantSource clock;

    private long writes;

    /** Which of the names is written next. */
    private int next;

    /**
     * A storage with its own connection.
     *
     * @param namespace the operator's own namespace
     * @param name the names of the ConfigMaps without their numbers
     * @param leaseFence checked right before each write
     * @param steadyAhead how far the engine's clock is ahead of the API server's; empty before they were compared
     * @param clock the engine's clock
     */
    public LedgerStorage(
            Config connection,
            String namespace,
            String name,
            WhenMissing whenMissing,
            LeaseFence leaseFence,
            Supplier<Optional<Duration>> steadyAhead,
            InstantSource clock) {
        this(new KubernetesLedger(connection, namespace), namespace, name, whenMissing, leaseFence, steadyAhead, clock);
    }

    LedgerStorage(
            LedgerApi api,
            String namespace,
            String name,
            WhenMissing whenMissing,
            LeaseFence leaseFence,
            Supplier<Optional<Duration>> steadyAhead,
            InstantSource clock) {
        this.objects = new LedgerObjects(api, namespace, whenMissing, leaseFence);
        this.names = List.of(name + "-0", name + "-1");
        this.clocks = new ClockStorage(objects, name, names.size());
        this.steadyAhead = steadyAhead;
        this.clock = clock;
    }

    /** Reads the ledger, and returns what the engine shall know of it. */
    public synchronized Event.LedgerRead read(Effect.ReadLedger asked) {
        LedgerReading reading = time().map(this::read)
                .orElseGet(() -> new LedgerReading.Failed("the clock of the API server is not known yet"));
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
            case LedgerReading.Failed(String why) ->
                LOG.atWarn().addKeyValue("reason", why).log("Failed to read the ledger");
            case LedgerReading.NoMemory(String why) ->
                LOG.atWarn()
                        .addKeyValue("reason", why)
                        .log("Acting without a ledger: a restart forgets clocks, moves, limits and open breakers");
        }
        return new Event.LedgerRead(asked.number(), reading);
    }

    private Optional<ServerTime> time() {
        return steadyAhead.get().map(ahead -> new ServerTime(ahead, clock.instant()));
    }

    private LedgerReading read(ServerTime time) {
        Map<String, StoredLedger> found = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        int missing = 0;
        for (String name : names) {
            switch (objects.read(StoredLedger.class, name, time)) {
                case LedgerObjects.Reading.Found<StoredLedger>(StoredLedger ledger) -> found.put(name, ledger);
                case LedgerObjects.Reading.Empty<StoredLedger> _ -> {
                    // No process ever wrote it.
                }
                case LedgerObjects.Reading.Missing<StoredLedger>(String why) -> {
                    missing++;
                    problems.add(why);
                }
                case LedgerObjects.Reading.Unreadable<StoredLedger>(String why) -> problems.add(why);
                case LedgerObjects.Reading.Failed<StoredLedger>(String why) -> {
                    return new LedgerReading.Failed(why);
                }
                case LedgerObjects.Reading.GoWithout<StoredLedger>(String why) -> {
                    return new LedgerReading.NoMemory(why);
                }
            }
        }
        if (missing == names.size()) {
            return new LedgerReading.Failed(
                    String.join(", ", problems) + ": install the chart again, which makes them");
        }
        return newest(found, problems, time);
    }

    private LedgerReading newest(Map<String, StoredLedger> found, List<String> problems, ServerTime time) {
        Optional<Map.Entry<String, StoredLedger>> newest =
                found.entrySet().stream().max(Map.Entry.comparingByValue(StoredLedger.BY_AGE));
        if (newest.isPresent()) {
            problems.forEach(problem -> LOG.atWarn()
                    .addKeyValue("reason", problem)
                    .log("One of two copies of the ledger cannot be read; using the other"));
            StoredLedger ledger = newest.get().getValue();
            objects.begin(ledger.term());
            // The other one is written first, so that one of both is always whole.
            next = (names.indexOf(newest.get().getKey()) + 1) % names.size();
            return new LedgerReading.Found(ledger.ledger(), ledger.written(), clocks.read(ledger.term(), time));
        }
        return problems.isEmpty()
                ? new LedgerReading.Found(Ledger.empty(), Instant.EPOCH)
                : new LedgerReading.Unreadable(String.join(", ", problems));
    }

    /** Writes the ledger without the clocks, and returns whether that succeeded. */
    public synchronized Event write(Effect.WriteLedger asked) {
        Optional<String> problem = time().map(time -> write(asked.ledger(), time))
                .orElseGet(() -> Optional.of("the clock of the API server is not known"));
        return problem.<Event>map(why -> new Event.LedgerNotWritten(asked.revision(), why))
                .orElseGet(() -> new Event.LedgerWritten(asked.revision()));
    }

    /** {@return why neither ConfigMap could be written; empty if one was} */
    private Optional<String> write(Ledger ledger, ServerTime time) {
        writes++;
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(next);
            next = (next + 1) % names.size();
            Optional<String> problem = objects.write(
                    name,
                    uid -> new StoredLedger(
                            Stored.FORMAT, Stored.FORMAT, uid, objects.term(), writes, time.now(), ledger),
                    time);
            if (problem.isEmpty()) {
                return Optional.empty();
            }
            problems.add(problem.get());
        }
        return Optional.of(problems.stream()
                .distinct()
                .reduce((one, other) -> one + ", " + other)
                .orElseThrow());
    }

    /**
     * Writes clocks, and returns which could not be written. A slow write of clocks keeps no move waiting: it does not
     * exclude {@link #write}.
     */
    public Event.ClocksWritten writeClocks(Effect.WriteClocks asked) {
        synchronized (clocks) {
            return new Event.ClocksWritten(time().map(time -> clocks.write(asked.write(), time))
                    .orElse(asked.write().changed().keySet()));
        }
    }

    @Override
    public void close() {
        objects.close();
    }
}

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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the ledger in two ConfigMaps, written in turns. The newer one that can be read counts, so a write that is cut
 * off, or one spoiled object, loses at most the last change. May be called from any thread.
 */
public final class LedgerStorage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerStorage.class);

    /** The API server limits objects to about 1.5 MB. */
    private static final int MOST_BYTES = 512 << 10;

    private final LedgerApi api;
    private final String namespace;
    private final List<String> names;
    private final WhenMissing whenMissing;
    private final LeaseFence leaseFence;
    private final Supplier<Optional<Duration>> steadyAhead;
    private final InstantSource clock;

    /** The term of this replica: one more than that of the newest ledger that it read. */
    private long term = 1;

    private long writes;

    /** Which of the names is written next. */
    private int next;

    /** The UID of each ConfigMap that exists. */
    private final Map<String, String> uids = new HashMap<>();

    /** What to do if the ConfigMaps do not exist. */
    public enum WhenMissing {
        /** Evict nothing: the chart makes them, so a user has deleted them. */
        HOLD,
        /** Make them. If that is not possible, go on without memory. */
        MAKE,
        /** Go on without memory, because no pod is evicted. */
        GO_WITHOUT
    }

    /**
     * A storage with its own connection.
     *
     * @param namespace the operator's own namespace
     * @param name the name of the first ConfigMap without its number
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
        this.api = api;
        this.namespace = namespace;
        this.names = List.of(name + "-0", name + "-1");
        this.whenMissing = whenMissing;
        this.leaseFence = leaseFence;
        this.steadyAhead = steadyAhead;
        this.clock = clock;
    }

    /** Reads the ledger, and returns what the engine shall know of it. */
    public synchronized Event.LedgerRead read(Effect.ReadLedger asked) {
        LedgerReading reading = time().map(this::read)
                .orElseGet(() -> new LedgerReading.Failed("the clock of the API server is not known yet"));
        switch (reading) {
            case LedgerReading.Found _ -> LOG.info("Read the ledger");
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
                        .log("Acting without a ledger: a restart forgets moves, limits and open breakers");
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
            LedgerAnswer answer = api.read(name);
            if (answer instanceof LedgerAnswer.Missing && whenMissing == WhenMissing.GO_WITHOUT) {
                return new LedgerReading.NoMemory("it does not exist, and this operator only observes");
            }
            if (answer instanceof LedgerAnswer.Missing && whenMissing == WhenMissing.MAKE) {
                answer = api.create(name);
                if (answer instanceof LedgerAnswer.Failed(String message)) {
                    return new LedgerReading.NoMemory(message);
                }
            }
            switch (answer) {
                case LedgerAnswer.Current(String uid, Optional<byte[]> data) -> {
                    uids.put(name, uid);
                    if (data.isPresent()) {
                        read(name, data.get(), uid, time, found, problems);
                    }
                }
                case LedgerAnswer.Missing _ -> {
                    missing++;
                    problems.add("ConfigMap " + namespace + "/" + name + " does not exist");
                }
                case LedgerAnswer.Changed _ ->
                    problems.add("ConfigMap " + namespace + "/" + name + " was made by another client");
                case LedgerAnswer.Failed(String message) -> {
                    return new LedgerReading.Failed(message);
                }
            }
        }
        if (missing == names.size()) {
            return new LedgerReading.Failed(
                    String.join(", ", problems) + ": install the chart again, which makes them");
        }
        return newest(found, problems);
    }

    private void read(
            String name,
            byte[] data,
            String uid,
            ServerTime time,
            Map<String, StoredLedger> found,
            List<String> problems) {
        try {
            found.put(name, LedgerText.read(data, uid, time));
        } catch (UnreadableLedgerException e) {
            problems.add("ConfigMap " + namespace + "/" + name + ": " + e.getMessage());
        }
    }

    private LedgerReading newest(Map<String, StoredLedger> found, List<String> problems) {
        Optional<Map.Entry<String, StoredLedger>> newest =
                found.entrySet().stream().max(Map.Entry.comparingByValue(StoredLedger.BY_AGE));
        if (newest.isPresent()) {
            problems.forEach(problem -> LOG.atWarn()
                    .addKeyValue("reason", problem)
                    .log("One of two copies of the ledger cannot be read; using the other"));
            StoredLedger ledger = newest.get().getValue();
            term = Math.max(term, ledger.term()) + 1;
            // The other one is written first, so that one of both is always whole.
            next = (names.indexOf(newest.get().getKey()) + 1) % names.size();
            return new LedgerReading.Found(ledger.ledger(), ledger.written());
        }
        return problems.isEmpty()
                ? new LedgerReading.Found(Ledger.empty(), Instant.EPOCH)
                : new LedgerReading.Unreadable(String.join(", ", problems));
    }

    /** Writes the ledger, and returns whether that succeeded. */
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
            Optional<String> problem = write(name, ledger, time);
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

    private Optional<String> write(String name, Ledger ledger, ServerTime time) {
        String uid = uids.get(name);
        LedgerAnswer answer = uid == null ? new LedgerAnswer.Changed() : replace(name, uid, ledger, time);
        if (answer instanceof LedgerAnswer.Changed) {
            answer = readAndReplace(name, ledger, time);
        }
        return switch (answer) {
            case LedgerAnswer.Current _ -> Optional.empty();
            case LedgerAnswer.Missing _ -> {
                uids.remove(name);
                yield Optional.of("ConfigMap " + namespace + "/" + name
                        + " does not exist: install the chart again, which makes it");
            }
            case LedgerAnswer.Changed _ -> Optional.of("another client changed ConfigMap " + namespace + "/" + name);
            case LedgerAnswer.Failed(String message) -> Optional.of(message);
        };
    }

    /** Replaces a ConfigMap that another client has changed, unless that was a later leader. */
    private LedgerAnswer readAndReplace(String name, Ledger ledger, ServerTime time) {
        LedgerAnswer seen = api.read(name);
        if (!(seen instanceof LedgerAnswer.Current(String uid, Optional<byte[]> data))) {
            return seen;
        }
        uids.put(name, uid);
        Optional<Long> later = data.flatMap(bytes -> term(bytes, uid, time)).filter(other -> other > term);
        return later.isPresent()
                ? new LedgerAnswer.Failed("another replica has written the ledger since")
                : replace(name, uid, ledger, time);
    }

    private static Optional<Long> term(byte[] data, String uid, ServerTime time) {
        try {
            return Optional.of(LedgerText.read(data, uid, time).term());
        } catch (UnreadableLedgerException _) {
            // It is written again.
            return Optional.empty();
        }
    }

    private LedgerAnswer replace(String name, String uid, Ledger ledger, ServerTime time) {
        byte[] text = LedgerText.write(
                new StoredLedger(StoredLedger.FORMAT, StoredLedger.FORMAT, uid, term, writes, clock.instant(), ledger),
                time);
        if (text.length > MOST_BYTES) {
            return new LedgerAnswer.Failed("the ledger has " + text.length + " bytes, more than the " + MOST_BYTES
                    + " that a ConfigMap may have");
        }
        return leaseFence.allows(KubernetesLedger.REQUEST_TIMEOUT)
                ? api.replace(name, text)
                : new LedgerAnswer.Failed("the lease is not held, or was renewed too long ago to cover a request");
    }

    @Override
    public void close() {
        api.close();
    }
}

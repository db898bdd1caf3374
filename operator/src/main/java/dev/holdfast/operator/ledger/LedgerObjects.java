package dev.holdfast.operator.ledger;

import dev.holdfast.operator.evict.LeaseFence;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The ConfigMaps of the ledger as parts that can be read and written. May be called from several threads, and for one
 * name from one thread at a time.
 */
final class LedgerObjects implements AutoCloseable {
    /** The API server limits objects to about 1.5 MB. */
    private static final int MOST_BYTES = 512 << 10;

    private final LedgerApi api;
    private final String namespace;
    private final WhenMissing whenMissing;
    private final LeaseFence leaseFence;

    /** The UID of each ConfigMap that exists. */
    private final Map<String, String> uids = new ConcurrentHashMap<>();

    /** The term of this replica: one more than that of the newest ledger that it read. */
    private volatile long term = 1;

    LedgerObjects(LedgerApi api, String namespace, WhenMissing whenMissing, LeaseFence leaseFence) {
        this.api = api;
        this.namespace = namespace;
        this.whenMissing = whenMissing;
        this.leaseFence = leaseFence;
    }

    /** The result of reading one ConfigMap. */
    sealed interface Reading<T> {
        record Found<T>(T part) implements Reading<T> {}

        /** The ConfigMap was never written. */
        record Empty<T>() implements Reading<T> {}

        /** The ConfigMap does not exist, though it should. */
        record Missing<T>(String why) implements Reading<T> {}

        /** The ConfigMap was written, and cannot be read. */
        record Unreadable<T>(String why) implements Reading<T> {}

        /** The API server did not answer, or refused. */
        record Failed<T>(String why) implements Reading<T> {}

        /** The ConfigMap does not exist, and this process goes on without it. */
        record GoWithout<T>(String why) implements Reading<T> {}
    }

    /** Reads one ConfigMap. If it does not exist, makes it if this process shall. */
    <T extends Stored> Reading<T> read(Class<T> part, String name, ServerTime time) {
        LedgerAnswer answer = api.read(name);
        if (answer instanceof LedgerAnswer.Missing) {
            switch (whenMissing) {
                case HOLD -> {
                    return new Reading.Missing<>(described(name) + " does not exist");
                }
                case GO_WITHOUT -> {
                    return new Reading.GoWithout<>("it does not exist, and this operator only observes");
                }
                case MAKE -> {
                    answer = api.create(name);
                    if (answer instanceof LedgerAnswer.Failed(String message)) {
                        return new Reading.GoWithout<>(message);
                    }
                }
            }
        }
        return switch (answer) {
            case LedgerAnswer.Current(String uid, Optional<byte[]> data) -> {
                uids.put(name, uid);
                yield data.map(bytes -> read(part, name, bytes, uid, time)).orElseGet(Reading.Empty::new);
            }
            case LedgerAnswer.Missing _ -> new Reading.Missing<>(described(name) + " does not exist");
            case LedgerAnswer.Changed _ -> new Reading.Failed<>(described(name) + " was made by another client");
            case LedgerAnswer.Failed(String message) -> new Reading.Failed<>(message);
        };
    }

    private <T extends Stored> Reading<T> read(Class<T> part, String name, byte[] data, String uid, ServerTime time) {
        try {
            return new Reading.Found<>(LedgerText.read(part, data, uid, time));
        } catch (UnreadableLedgerException e) {
            return new Reading.Unreadable<>(described(name) + ": " + e.getMessage());
        }
    }

    private String described(String name) {
        return "ConfigMap " + namespace + "/" + name;
    }

    /** Begins a term, because this replica leads from now on. */
    void begin(long newestTerm) {
        term = Math.max(term, newestTerm) + 1;
    }

    long term() {
        return term;
    }

    /**
     * Writes one ConfigMap.
     *
     * @param part makes its content, given its UID
     * @return why it could not be written; empty if it was
     */
    Optional<String> write(String name, Function<String, Stored> part, ServerTime time) {
        String uid = uids.get(name);
        LedgerAnswer answer = uid == null ? new LedgerAnswer.Changed() : replace(name, part.apply(uid), time);
        if (answer instanceof LedgerAnswer.Changed) {
            answer = readAndReplace(name, part, time);
        }
        return switch (answer) {
            case LedgerAnswer.Current _ -> Optional.empty();
            case LedgerAnswer.Missing _ -> {
                uids.remove(name);
                yield Optional.of(described(name) + " does not exist: install the chart again, which makes it");
            }
            case LedgerAnswer.Changed _ -> Optional.of("another client changed " + described(name));
            case LedgerAnswer.Failed(String message) -> Optional.of(message);
        };
    }

    /** Replaces a ConfigMap that another client has changed, unless that was a later leader. */
    private LedgerAnswer readAndReplace(String name, Function<String, Stored> part, ServerTime time) {
        LedgerAnswer seen = api.read(name);
        if (!(seen instanceof LedgerAnswer.Current(String uid, Optional<byte[]> data))) {
            return seen;
        }
        uids.put(name, uid);
        Stored next = part.apply(uid);
        boolean isLater = data.flatMap(bytes -> term(next.getClass(), bytes, uid, time))
                .filter(other -> other > term)
                .isPresent();
        return isLater
                ? new LedgerAnswer.Failed("another replica has written the ledger since")
                : replace(name, next, time);
    }

    private static Optional<Long> term(Class<? extends Stored> part, byte[] data, String uid, ServerTime time) {
        try {
            return Optional.of(LedgerText.read(part, data, uid, time).term());
        } catch (UnreadableLedgerException _) {
            // It is written again.
            return Optional.empty();
        }
    }

    private LedgerAnswer replace(String name, Stored part, ServerTime time) {
        byte[] text = LedgerText.write(part, time);
        if (text.length > MOST_BYTES) {
            return new LedgerAnswer.Failed("a part of the ledger has " + text.length + " bytes, more than the "
                    + MOST_BYTES + " that " + described(name) + " may have");
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

package dev.holdfast.operator.ledger;

import dev.holdfast.operator.evict.LeaseFence;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The ConfigMaps of the ledger as parts that can be read and written. May be called from several threads, and for one
 * name from one thread at a time.
 */
final class LedgerObjects implements AutoCloseable {
    /** A placeholder for the UID of a ConfigMap, which is not known when the length of a part is measured. */
    static final String NO_UID = "00000000-0000-0000-0000-000000000000";

    /** The maximum size of a part, compressed. The API server limits objects to about 1.5 MB. */
    private static final int MOST_BYTES = 512 << 10;

    private final LedgerApi api;
    private final String namespace;
    private final WhenMissing whenMissing;
    private final LeaseFence leaseFence;

    /** The UID of each ConfigMap that exists. */
    private final Map<String, String> uids = new ConcurrentHashMap<>();

    /** The term of this replica: one more than the term of the newest ledger that it read. */
    private volatile long term = 1;

    private final AtomicLong newestTerm = new AtomicLong();

    private volatile Optional<Instant> lastWrite = Optional.empty();

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

        /**
         * The ConfigMap was written, and cannot be read.
         *
         * @param later whether a later version of the operator wrote it
         */
        record Unreadable<T>(String why, boolean later) implements Reading<T> {}

        /** The API server did not answer. */
        record Failed<T>(String why) implements Reading<T> {}

        /** The ConfigMap does not exist, and the API server refuses to make it. */
        record NoPlace<T>(String why) implements Reading<T> {}

        /** {@return the part; empty if there is none that can be read} */
        default Optional<T> found() {
            return this instanceof Found<T>(T part) ? Optional.of(part) : Optional.empty();
        }

        /** {@return whether a process has written the ConfigMap} */
        default boolean isWritten() {
            return switch (this) {
                case Found<T> _, Unreadable<T> _ -> true;
                case Empty<T> _, Missing<T> _, Failed<T> _, NoPlace<T> _ -> false;
            };
        }

        /** {@return why the part is lost, if it is} */
        default Optional<String> problem() {
            return switch (this) {
                case Found<T> _, Empty<T> _, Failed<T> _ -> Optional.empty();
                case Missing<T>(String why) -> Optional.of(why);
                case Unreadable<T>(String why, var _) -> Optional.of(why);
                case NoPlace<T>(String why) -> Optional.of(why);
            };
        }

        /** {@return why the state of the ConfigMap is unknown; empty if it is known} */
        default Optional<String> failure() {
            return this instanceof Failed<T>(String why) ? Optional.of(why) : Optional.empty();
        }
    }

    /** Reads one ConfigMap. If the ConfigMap does not exist, makes it if this process may. */
    <T extends Stored> Reading<T> read(Class<T> part, String name, ServerTime time) {
        LedgerAnswer answer = api.read(name);
        boolean makes = isToBeMade(answer);
        return switch (makes ? api.create(name) : answer) {
            case LedgerAnswer.Current(String uid, Optional<byte[]> data) -> {
                uids.put(name, uid);
                yield data.map(bytes -> read(part, name, bytes, uid, time)).orElseGet(Reading.Empty::new);
            }
            case LedgerAnswer.Missing _ -> new Reading.Missing<>(described(name) + " does not exist");
            case LedgerAnswer.Changed _ -> new Reading.Failed<>(described(name) + " was made by another client");
            case LedgerAnswer.Refused(String message) ->
                makes ? new Reading.NoPlace<>(message) : new Reading.Failed<>(message);
            case LedgerAnswer.Failed(String message) -> new Reading.Failed<>(message);
        };
    }

    private boolean isToBeMade(LedgerAnswer answer) {
        return answer instanceof LedgerAnswer.Missing && whenMissing == WhenMissing.MAKE;
    }

    private <T extends Stored> Reading<T> read(Class<T> part, String name, byte[] data, String uid, ServerTime time) {
        try {
            T read = LedgerText.read(part, data, uid, time);
            newestTerm.accumulateAndGet(read.term(), Math::max);
            return new Reading.Found<>(read);
        } catch (UnreadableLedgerException e) {
            return new Reading.Unreadable<>(described(name) + ": " + e.getMessage(), e.isLater());
        }
    }

    private String described(String name) {
        return "ConfigMap " + namespace + "/" + name;
    }

    /** Begins a term after all that were read, because this replica leads from now on. */
    void begin() {
        term = Math.max(term, newestTerm.get()) + 1;
    }

    long term() {
        return term;
    }

    /** {@return when a part was last written; empty if this process has written none} */
    Optional<Instant> lastWrite() {
        return lastWrite;
    }

    /**
     * Writes one ConfigMap.
     *
     * @param part makes the content of the ConfigMap with this UID
     * @return why the ConfigMap could not be written; empty if it was
     */
    Optional<String> write(String name, Function<String, Stored> part, ServerTime time) {
        String uid = uids.get(name);
        LedgerAnswer answer = uid == null ? new LedgerAnswer.Changed() : replace(name, part.apply(uid), time);
        if (answer instanceof LedgerAnswer.Changed || isToBeMade(answer)) {
            answer = readAndReplace(name, part, time);
        }
        return switch (answer) {
            case LedgerAnswer.Current _ -> {
                lastWrite = Optional.of(time.now());
                yield Optional.empty();
            }
            case LedgerAnswer.Missing _ -> {
                uids.remove(name);
                yield Optional.of(described(name) + " does not exist: install the chart again, which makes it");
            }
            case LedgerAnswer.Changed _ -> Optional.of("another client changed " + described(name));
            case LedgerAnswer.Refused(String message) -> Optional.of(message);
            case LedgerAnswer.Failed(String message) -> Optional.of(message);
        };
    }

    /** Replaces a ConfigMap that another client has changed or deleted, unless that was a later leader. */
    private LedgerAnswer readAndReplace(String name, Function<String, Stored> part, ServerTime time) {
        LedgerAnswer answer = api.read(name);
        LedgerAnswer seen = isToBeMade(answer) ? api.create(name) : answer;
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

    /** {@return whether a ConfigMap has room for a part} */
    static boolean fits(Stored part, ServerTime time) {
        return text(part, time).isPresent();
    }

    /** {@return the text of a part; empty if it is longer than a ConfigMap may have, or than the next leader reads} */
    private static Optional<byte[]> text(Stored part, ServerTime time) {
        return LedgerText.write(part, time).filter(it -> it.length <= MOST_BYTES);
    }

    private LedgerAnswer replace(String name, Stored part, ServerTime time) {
        Optional<byte[]> text = text(part, time);
        if (text.isEmpty()) {
            return new LedgerAnswer.Failed("a part of the ledger is longer than the " + MOST_BYTES
                    + " compressed bytes that " + described(name) + " may have, or than what is read of it");
        }
        return leaseFence.allows(KubernetesLedger.REQUEST_TIMEOUT)
                ? api.replace(name, text.get())
                : new LedgerAnswer.Failed("this replica does not hold the lease, or may lose it during a request");
    }

    @Override
    public void close() {
        api.close();
    }
}

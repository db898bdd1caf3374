package dev.holdfast.it.bench.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The writes of the ledger in a period, in order. */
public record LedgerWrites(double seconds, List<Write> writes) {
    private static final double MILLIS = 1e3;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double TENTHS = 10;

    /**
     * One write of a ConfigMap of the ledger.
     *
     * @param at when a watch read the new state
     * @param name the name of the ConfigMap
     * @param bytes the size of its data, as etcd stores it
     */
    public record Write(Instant at, String name, int bytes) {}

    public LedgerWrites {
        writes = List.copyOf(writes);
    }

    /**
     * {@return those of the writes that were made in the period}
     *
     * @param to the end of the period, exclusive
     */
    public static LedgerWrites of(List<Write> writes, Instant from, Instant to) {
        return new LedgerWrites(
                Duration.between(from, to).toMillis() / MILLIS,
                writes.stream()
                        .filter(write ->
                                !write.at().isBefore(from) && write.at().isBefore(to))
                        .toList());
    }

    /** {@return the number of writes a minute} */
    public double perMinute() {
        return aMinute(writes.size());
    }

    /** {@return the bytes of data that were written a minute} */
    public double bytesPerMinute() {
        return aMinute(writes.stream().mapToDouble(Write::bytes).sum());
    }

    private double aMinute(double total) {
        return total * SECONDS_PER_MINUTE / seconds;
    }

    /**
     * {@return the number of writes a minute of the ConfigMap that is written most often, from its first to its last
     * write} Rounded to a tenth, because the times of a watch are inexact; 0 if no ConfigMap was written twice.
     *
     * <p>Example: one at 0 s, 6 s and 12 s, another at 0 s and 20 s: 10 a minute.
     */
    public double mostOfOneAMinute() {
        Map<String, List<Write>> byName = writes.stream().collect(Collectors.groupingBy(Write::name));
        double most =
                byName.values().stream().mapToDouble(LedgerWrites::rate).max().orElse(0);
        return Math.round(most * TENTHS) / TENTHS;
    }

    private static double rate(List<Write> ofOne) {
        if (ofOne.size() < 2) {
            return 0;
        }
        Duration between =
                Duration.between(ofOne.getFirst().at(), ofOne.getLast().at());
        return (ofOne.size() - 1) * SECONDS_PER_MINUTE * MILLIS / between.toMillis();
    }
}

package dev.holdfast.it.bench;

import java.util.List;

/**
 * The operator while every pod violates a rule that no node satisfies.
 *
 * @param violations the number of violations, all of them due
 * @param peakMiB the process's peak resident memory from its start until a minute after they were due
 * @param limitMiB the chart's memory limit
 */
record AllViolating(int violations, double peakMiB, double limitMiB) {
    private static final String LIMIT = "-XX:MaxRAM=";
    private static final double MIB = 1 << 20;

    /** {@return the memory limit that replaces the container's, from the JVM flags of the operator} */
    static double limitMiB(List<String> flags) {
        return flags.stream()
                .filter(flag -> flag.startsWith(LIMIT))
                .mapToDouble(flag -> Long.parseLong(flag.substring(LIMIT.length())) / MIB)
                .findFirst()
                .orElseThrow(() -> new BenchException("the operator has no memory limit"));
    }
}

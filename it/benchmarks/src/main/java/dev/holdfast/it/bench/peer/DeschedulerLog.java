package dev.holdfast.it.bench.peer;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the descheduler's log: klog's text, in UTC. */
final class DeschedulerLog {
    /** {@code E1120 15:42:10.123456   11 evictions.go:549] "Error evicting pod" err="..." pod="bench/even-1-x"}. */
    private static final Pattern LINE = Pattern.compile("[IWEF](\\d{4} \\d{2}:\\d{2}:\\d{2}\\.\\d{6}) .*");

    private static final Pattern POD = Pattern.compile("[pP]od=\"([^\"/]+)/([^\"]+)\"");

    private static final Pattern NODE = Pattern.compile(" node=\"([^\"]+)\"");

    private DeschedulerLog() {}

    /** {@return how many cycles the log says have ended} */
    static long cycles(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("\"Number of evictions/requests\""))
                .count();
    }

    /**
     * {@return when it first named one of these pods}
     *
     * @param after not before this
     */
    static Optional<Instant> firstNaming(List<String> lines, String namespace, Collection<String> pods, Instant after) {
        return lines.stream()
                .filter(line -> names(line, namespace, pods))
                .flatMap(line -> time(line, after).stream())
                .filter(at -> !at.isBefore(after))
                .findFirst();
    }

    /** {@return the nodes from which it would have evicted a pod if a limit had not stopped it} */
    static Set<String> stoppedAt(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("\"Error evicting pod\""))
                .flatMap(line -> NODE.matcher(line).results())
                .map((MatchResult node) -> node.group(1))
                .collect(Collectors.toSet());
    }

    private static boolean names(String line, String namespace, Collection<String> pods) {
        Matcher pod = POD.matcher(line);
        while (pod.find()) {
            if (pod.group(1).equals(namespace) && pods.contains(pod.group(2))) {
                return true;
            }
        }
        return false;
    }

    /** klog leaves the year out. */
    private static Optional<Instant> time(String line, Instant near) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        DateTimeFormatter format = new DateTimeFormatterBuilder()
                .appendPattern("MMdd HH:mm:ss.SSSSSS")
                .parseDefaulting(
                        ChronoField.YEAR,
                        Year.from(near.atOffset(ZoneOffset.UTC)).getValue())
                .toFormatter(java.util.Locale.ROOT);
        return Optional.of(LocalDateTime.parse(matcher.group(1), format).toInstant(ZoneOffset.UTC));
    }
}

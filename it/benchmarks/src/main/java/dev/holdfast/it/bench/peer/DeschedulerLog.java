package dev.holdfast.it.bench.peer;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the descheduler's log, which has the klog text format. */
final class DeschedulerLog {
    private static final Pattern NODE = Pattern.compile(" node=\"([^\"]+)\"");

    private DeschedulerLog() {}

    /** {@return the nodes from which it would have evicted a pod without the limit} */
    static Set<String> stoppedAt(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("\"Error evicting pod\""))
                .flatMap(line -> NODE.matcher(line).results())
                .map((MatchResult node) -> node.group(1))
                .collect(Collectors.toSet());
    }
}

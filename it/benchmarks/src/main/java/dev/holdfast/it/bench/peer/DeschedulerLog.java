package dev.holdfast.it.bench.peer;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parser of the descheduler's log, which has the klog text format. */
final class DeschedulerLog {
    private static final Pattern NODE = Pattern.compile(" node=\"([^\"]+)\"");

    private DeschedulerLog() {}

    /** {@return the nodes from which the descheduler would have evicted a pod if its limit were not 0 evictions} */
    static Set<String> stoppedAt(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("\"Error evicting pod\""))
                .flatMap(line -> NODE.matcher(line).results())
                .map((MatchResult node) -> node.group(1))
                .collect(Collectors.toSet());
    }
}

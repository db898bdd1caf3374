package dev.holdfast.operator.offline.demo;

import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import dev.holdfast.operator.offline.demo.SceneLog.SeenEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The summary of one scene: about one line for each event reason, in the order in which the reasons appeared. A line
 * names the pod if there is only one; otherwise it says how many pods, or lists them.
 *
 * @param namespace the namespace that the scene runs in; it is removed from names that start with it
 * @param events the operator's Kubernetes events, in the order in which they were seen
 * @param moves the moves that have ended, newest first
 */
record SceneStory(String namespace, List<SeenEvent> events, List<EndedMove> moves) {
    /** The number of columns before the text of a line. These columns show the time since the start of the demo. */
    static final int MARGIN = 8;

    private static final int KEYWORD_WIDTH = 9;

    private static final Pattern VIOLATED =
            Pattern.compile("Rule .* broken since (.*?): .*\\. Due for eviction at \\S+T(\\S+Z)"
                    + " \\(forgiveness (\\w+)\\) (unless .*?)(?:; policy .*)?");
    private static final Pattern BLOCKED =
            Pattern.compile("Not evicting from \\S+ \\((\\w+)\\): (.*?)(?:: of \\d.*|; .*)?");
    private static final Pattern LEFT = Pattern.compile("Evict(?:ing|ed) from (\\S+?): .*");

    private static final Set<String> LEAVING = Set.of("PlacementEvicting", "PlacementEvicted");

    /** The reasons of events about the end of a move. Such an event is about the policy, because the pod is gone. */
    private static final Set<String> AFTER_THE_POD =
            Set.of("PlacementMoved", "PlacementEvictionFutile", "PlacementNotReplaced");

    SceneStory {
        events = List.copyOf(events);
        moves = List.copyOf(moves);
    }

    /** {@return the lines, each at most {@value Columns#WIDTH} columns wide} */
    List<String> lines() {
        Map<String, List<SeenEvent>> byReason = events.stream()
                .filter(it -> it.event().kind().equals("Pod") || isAboutPolicyOnly(it.event()))
                .collect(Collectors.groupingBy(it -> it.event().reason(), LinkedHashMap::new, Collectors.toList()));
        // An eviction is printed where it was requested: what follows from it may be reported before the answer.
        List<SeenEvent> evicted = byReason.getOrDefault("PlacementEvicted", List.of());
        if (!evicted.isEmpty() && byReason.replace("PlacementEvicting", evicted) != null) {
            byReason.remove("PlacementEvicted");
        }
        List<String> lines = new ArrayList<>();
        byReason.values()
                .forEach(seen -> lines.addAll(step(seen.getFirst().event().reason(), seen)));
        return lines;
    }

    private static boolean isAboutPolicyOnly(PlacementEvent event) {
        return event.kind().equals("PlacementPolicy") && AFTER_THE_POD.contains(event.reason());
    }

    /**
     * {@return the start of a line: the time since the start of the demo, for example {@code 12.3s}, padded to at least
     * {@value #MARGIN} columns}
     */
    static String time(double second) {
        return String.format(Locale.ROOT, "%5.1fs  ", second);
    }

    private List<String> step(String reason, List<SeenEvent> seen) {
        String first = plain(seen.getFirst().event().message());
        String time = time(seen.getFirst().second());
        return switch (reason) {
            case "PlacementViolated" -> violated(time, pods(seen), first);
            case "PlacementEvictionBlocked" -> List.of(lastHold(seen));
            case "PlacementEvicting" -> List.of(line(time, "evicting", left(seen)));
            case "PlacementEvicted" -> List.of(line(time, "evicted", left(seen)));
            case "PlacementMoved" -> List.of(line(time, "moved", moved()));
            case "PlacementHealed" ->
                List.of(line(time, "healed", pods(seen) + ": the rule holds again, without an eviction"));
            default -> List.of(line(time, "event", reason + ", " + pods(seen) + ": " + first));
        };
    }

    private static List<String> violated(String time, String pods, String message) {
        Matcher known = VIOLATED.matcher(message);
        if (!known.matches()) {
            return List.of(line(time, "violated", pods + ": " + message));
        }
        return List.of(
                line(time, "violated", pods + " since " + known.group(1)),
                line(
                        " ".repeat(time.length()),
                        "due",
                        "at " + known.group(2) + " (forgiveness " + known.group(3) + ") " + known.group(4)));
    }

    /**
     * {@return the last hold before a pod leaves} The first evictions after a start wait for SlowStart, whatever holds
     * them later. Holds after an eviction do not count.
     */
    private String lastHold(List<SeenEvent> seen) {
        double left = events.stream()
                .filter(it -> LEAVING.contains(it.event().reason()))
                .mapToDouble(SeenEvent::second)
                .min()
                .orElse(Double.MAX_VALUE);
        List<SeenEvent> before = seen.stream().filter(it -> it.second() <= left).toList();
        List<SeenEvent> told = before.isEmpty() ? seen : before;
        return line(
                time(told.getLast().second()),
                "held",
                pods(told) + ", " + held(plain(told.getLast().event().message())));
    }

    private static String held(String message) {
        Matcher known = BLOCKED.matcher(message);
        return known.matches() ? known.group(1) + ": " + known.group(2) : message;
    }

    private String left(List<SeenEvent> seen) {
        return seen.stream()
                .map(it -> it.event().name()
                        + leftNode(plain(it.event().message()))
                                .map(node -> " from " + node)
                                .collect(Collectors.joining()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static Stream<String> leftNode(String message) {
        return Stream.of(message).map(LEFT::matcher).filter(Matcher::matches).map(known -> known.group(1));
    }

    private String moved() {
        return moves.reversed().stream()
                        .filter(it -> it.outcome().equals("Moved"))
                        .map(it -> it.pod() + " from " + it.fromNode() + " to " + it.toNode())
                        .collect(Collectors.joining(", "))
                + ": Ready, and the rule holds";
    }

    private static String pods(List<SeenEvent> seen) {
        Set<String> names = seen.stream().map(it -> it.event().name()).collect(Collectors.toCollection(TreeSet::new));
        return names.size() == 1 ? names.iterator().next() : names.size() + " pods";
    }

    /** {@return a message without the scene's namespace and pool label, which readers need not see} */
    private String plain(String message) {
        return message.replace("pool=" + namespace + " and ", "")
                .replace(namespace + "/", "")
                .replace(namespace + "-", "");
    }

    private static String line(String time, String keyword, String text) {
        return Columns.shorten(
                String.format(Locale.ROOT, "%s%-" + KEYWORD_WIDTH + "s %s", time, keyword, text), Columns.WIDTH);
    }
}

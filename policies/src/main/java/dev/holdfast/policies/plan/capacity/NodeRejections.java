package dev.holdfast.policies.plan.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts why nodes were rejected for a pod. Each node counts for one rejection, for example {@code not Ready}: the
 * first that was found.
 */
public final class NodeRejections {
    /**
     * The maximum number of rejections that a message names. There may be many more, because resources can have any
     * name.
     */
    private static final int NAMED = 5;

    private final Map<String, Integer> counts = new TreeMap<>();

    public void add(String rejection) {
        counts.merge(rejection, 1, Integer::sum);
    }

    public boolean include(String rejection) {
        return counts.containsKey(rejection);
    }

    /**
     * {@return the counts as text, the most frequent first: {@code of 12 other nodes: 7 not Ready, 5 short of cpu}}
     */
    public String describe() {
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (all == 0) {
            return "there is no other node";
        }
        List<Map.Entry<String, Integer>> named = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED)
                .toList();
        int rest = all - named.stream().mapToInt(Map.Entry::getValue).sum();
        return "of " + all + (all == 1 ? " other node: " : " other nodes: ")
                + named.stream().map(one -> one.getValue() + " " + one.getKey()).collect(Collectors.joining(", "))
                + (rest == 0 ? "" : ", " + rest + " for other reasons");
    }
}

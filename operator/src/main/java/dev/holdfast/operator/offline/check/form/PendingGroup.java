package dev.holdfast.operator.offline.check.form;

import dev.holdfast.operator.offline.check.CheckReport.PendingPod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of a namespace that wait for a node for the same reason.
 *
 * @param state what they wait for, as in a CheckReport
 * @param pods their names, at least one
 */
public record PendingGroup(String namespace, String state, String why, List<String> pods) {
    public PendingGroup {
        pods = List.copyOf(pods);
    }

    /** {@return the groups, in the order of their first pods} */
    public static List<PendingGroup> of(List<PendingPod> pods) {
        Map<List<String>, List<String>> alike = new LinkedHashMap<>();
        pods.forEach(
                pod -> alike.computeIfAbsent(List.of(pod.namespace(), pod.state(), pod.why()), _ -> new ArrayList<>())
                        .add(pod.pod()));
        List<PendingGroup> groups = new ArrayList<>();
        alike.forEach((row, names) -> groups.add(new PendingGroup(row.getFirst(), row.get(1), row.getLast(), names)));
        return groups;
    }
}

package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The content of dumps.
 *
 * @param objects the objects of the cluster that verdicts or plans depend on: namespaces first, then nodes, pods last
 * @param policies the objects of holdfast.dev, in the order of the files
 * @param counts how many objects of each kind were read: {@code Pod} to 12
 * @param unread how many objects were left out, by kind, as nothing depends on them: {@code ConfigMap} to 3
 * @param warnings what may be wrong with the dumps, as sentences
 * @param volumes where the volumes of pods can be used
 * @param events the Kubernetes events of the operator; those of others are left out
 * @param times when the dump was made, and when taints of its nodes were set
 * @param unreadable the kinds of a live cluster that could not be listed; empty for files
 * @param configMaps the ConfigMaps with the label {@code holdfast.dev/component}, which operators have for
 *     configuration and ledger
 */
public record Dump(
        List<ClusterEvent> objects,
        List<ObjectNode> policies,
        Map<String, Integer> counts,
        Map<String, Integer> unread,
        List<String> warnings,
        DumpedVolumes volumes,
        List<ObjectNode> events,
        DumpTimes times,
        List<UnreadableKind> unreadable,
        List<ObjectNode> configMaps) {
    public Dump {
        objects = List.copyOf(objects);
        policies = List.copyOf(policies);
        counts = Map.copyOf(counts);
        unread = Map.copyOf(unread);
        warnings = List.copyOf(warnings);
        events = List.copyOf(events);
        unreadable = List.copyOf(unreadable);
        configMaps = List.copyOf(configMaps);
    }

    /**
     * {@return when a simulation of the dump begins: at its time, so that it is the same each day} A time in the future
     * is one of a clock that is wrong, and does not count.
     *
     * @param now the time of a live cluster, and of a dump without one
     */
    public Instant start(Instant now) {
        return times.newest().filter(now::isAfter).orElse(now);
    }

    /** {@return the same dump with other objects of the cluster} */
    public Dump withObjects(List<ClusterEvent> others) {
        return new Dump(others, policies, counts, unread, warnings, volumes, events, times, unreadable, configMaps);
    }

    /** {@return the same dump with other objects of holdfast.dev} */
    public Dump withPolicies(List<ObjectNode> others) {
        return new Dump(objects, others, counts, unread, warnings, volumes, events, times, unreadable, configMaps);
    }

    /** {@return how many objects of a kind were read} */
    public int count(String kind) {
        return counts.getOrDefault(kind, 0);
    }
}

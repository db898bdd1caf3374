package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.selectors.ReadSelectors;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The content of dumps.
 *
 * @param objects the objects of the cluster that verdicts or plans depend on: namespaces first, then nodes, pods last
 * @param policies the objects of holdfast.dev, in the order of the files
 * @param numbers how many objects of each kind were read
 * @param warnings what may be wrong with the dumps, as sentences
 * @param volumes where the volumes of pods can be used
 * @param selectors by which Services and controllers select pods
 * @param events the Kubernetes events of the operator; those of others are left out
 * @param times when the dump was made, and when taints of its nodes were set
 * @param unreadable the kinds of a live cluster that could not be listed; empty for files
 * @param configMaps the ConfigMaps with the label {@code holdfast.dev/component}, which operators have for
 *     configuration and ledger
 */
public record Dump(
        List<ClusterEvent> objects,
        List<ObjectNode> policies,
        Numbers numbers,
        List<String> warnings,
        DumpedVolumes volumes,
        ReadSelectors selectors,
        List<ObjectNode> events,
        DumpTimes times,
        List<UnreadableKind> unreadable,
        List<ObjectNode> configMaps) {
    public Dump {
        objects = List.copyOf(objects);
        policies = List.copyOf(policies);
        warnings = List.copyOf(warnings);
        events = List.copyOf(events);
        unreadable = List.copyOf(unreadable);
        configMaps = List.copyOf(configMaps);
    }

    /**
     * How many objects there are, by kind.
     *
     * @param read those that were read: {@code Pod} to 12
     * @param unread those that were left out, as nothing depends on them: {@code ConfigMap} to 3
     */
    public record Numbers(Map<String, Integer> read, Map<String, Integer> unread) {
        public Numbers {
            read = Map.copyOf(read);
            unread = Map.copyOf(unread);
        }
    }

    /** {@return how many objects of each kind were read} */
    public Map<String, Integer> counts() {
        return numbers.read();
    }

    /** {@return how many objects of each kind were left out, as nothing depends on them} */
    public Map<String, Integer> unread() {
        return numbers.unread();
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
        return new Dump(others, policies, numbers, warnings, volumes, selectors, events, times, unreadable, configMaps);
    }

    /** {@return the same dump with other objects of holdfast.dev} */
    public Dump withPolicies(List<ObjectNode> others) {
        return new Dump(objects, others, numbers, warnings, volumes, selectors, events, times, unreadable, configMaps);
    }

    /** {@return how many objects of a kind were read} */
    public int count(String kind) {
        return counts().getOrDefault(kind, 0);
    }
}

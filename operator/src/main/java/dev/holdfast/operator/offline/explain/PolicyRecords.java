package dev.holdfast.operator.offline.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.NamespacedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The operator's records about pods: clocks, holds and last evictions in the status of policies, and events. A status
 * lists the 20 oldest violations and the last 10 evictions.
 */
public final class PolicyRecords {
    private final Collection<ObjectNode> policies;
    private final Collection<ObjectNode> events;

    /**
     * Records of a cluster.
     *
     * @param policies the policies as they are in the cluster, with their status
     * @param events the events of the operator
     */
    public PolicyRecords(Collection<ObjectNode> policies, Collection<ObjectNode> events) {
        this.policies = List.copyOf(policies);
        this.events = List.copyOf(events);
    }

    /**
     * A violation that the operator observes.
     *
     * @param state Forgiving, Held, WouldEvict or Evicting
     * @param since when the violation's clock started
     * @param due when the violation's forgiveness has passed; empty if the status does not say
     * @param reason why the violation is held; empty in other states
     */
    public record Observation(
            String policy,
            String rule,
            String node,
            String state,
            String since,
            String due,
            String reason,
            String message) {}

    /**
     * An eviction, a step of it, or another event about a pod.
     *
     * @param event Evicted in the status of a policy; Requested, Answered or Ended in an audit log; else the reason of
     *     a Kubernetes event
     * @param toNode the node of the replacement; empty if it is not known
     * @param result the outcome or the answer; empty if it is not known
     * @param message what broke the rule, or the API server's message
     */
    public record PastEviction(
            String time,
            String event,
            String pod,
            String policy,
            String rule,
            String fromNode,
            String toNode,
            String result,
            String message) {
        /** The order of time. */
        public static final Comparator<PastEviction> ORDER = Comparator.comparing(PastEviction::time)
                .thenComparing(PastEviction::pod)
                .thenComparing(PastEviction::event);
    }

    /** {@return the violations of a pod that the operator observes, in the order of policies} */
    public List<Observation> observed(NamespacedName pod) {
        List<Observation> observed = new ArrayList<>();
        for (ObjectNode policy : policies) {
            for (JsonNode one : policy.at("/status/violations")) {
                if (isAbout(one, policy, pod)) {
                    observed.add(new Observation(
                            name(policy),
                            text(one, "rule"),
                            text(one, "node"),
                            text(one, "state"),
                            text(one, "sinceTime"),
                            text(one, "deadlineTime"),
                            text(one, "reason"),
                            text(one, "message")));
                }
            }
        }
        return observed;
    }

    /** {@return the requested last evictions and events} */
    public List<PastEviction> evictions(Predicate<PastEviction> asked) {
        List<PastEviction> evictions = new ArrayList<>();
        for (ObjectNode policy : policies) {
            for (JsonNode one : policy.at("/status/recentEvictions")) {
                evictions.add(new PastEviction(
                        text(one, "time"),
                        "Evicted",
                        namespace(one, policy) + "/" + text(one, "pod"),
                        name(policy),
                        text(one, "rule"),
                        text(one, "fromNode"),
                        text(one, "toNode"),
                        text(one, "outcome"),
                        text(one, "cause")));
            }
        }
        events.stream()
                .filter(event -> event.at("/involvedObject/kind").asText().equals("Pod"))
                .map(PolicyRecords::ofEvent)
                .forEach(evictions::add);
        evictions.removeIf(asked.negate());
        return evictions;
    }

    private static PastEviction ofEvent(ObjectNode event) {
        int count = event.path("count").asInt(1);
        EventParts parts = EventParts.of(text(event, "message"));
        return new PastEviction(
                text(event, "lastTimestamp"),
                text(event, "reason"),
                event.at("/involvedObject/namespace").asText() + "/"
                        + event.at("/involvedObject/name").asText(),
                parts.policy(),
                parts.rule(),
                parts.fromNode(),
                parts.toNode(),
                parts.result(),
                text(event, "message") + (count > 1 ? " (" + count + " times)" : ""));
    }

    /** {@return the namespace of an entry} The status of a PlacementPolicy leaves out its own namespace. */
    private static String namespace(JsonNode entry, ObjectNode policy) {
        return entry.path("namespace").asText(policy.at("/metadata/namespace").asText());
    }

    private static boolean isAbout(JsonNode entry, ObjectNode policy, NamespacedName pod) {
        return namespace(entry, policy).equals(pod.namespace())
                && text(entry, "pod").equals(pod.name());
    }

    private static String name(ObjectNode policy) {
        String namespace = policy.at("/metadata/namespace").asText();
        return (namespace.isEmpty() ? "" : namespace + "/")
                + policy.at("/metadata/name").asText();
    }

    private static String text(JsonNode entry, String field) {
        return entry.path(field).asText();
    }
}

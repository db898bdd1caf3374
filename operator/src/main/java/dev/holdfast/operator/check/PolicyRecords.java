package dev.holdfast.operator.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.NamespacedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the operator has written to the status of policies about pods: its clocks, holds and last evictions. A status lists the 20
 * oldest violations and the last 10 evictions.
 */
public final class PolicyRecords {
    private final Collection<ObjectNode> policies;

    /** @param policies the policies as they are in the cluster, with their status */
    public PolicyRecords(Collection<ObjectNode> policies) {
        this.policies = List.copyOf(policies);
    }

    /**
     * A violation that the operator observes.
     *
     * @param state Forgiving, Held, WouldEvict or Evicting
     * @param since when its clock started
     * @param due when its forgiveness has passed; empty if the status does not say
     * @param reason why it is held; empty if it is not
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
     * An eviction, or a step of it.
     *
     * @param event Evicted in the status of a policy; Requested, Answered or Ended in an audit log
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

    /** {@return the last evictions about which that is asked} */
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
        evictions.removeIf(asked.negate());
        return evictions;
    }

    /** The status of a PlacementPolicy leaves out the namespace, which is its own. */
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

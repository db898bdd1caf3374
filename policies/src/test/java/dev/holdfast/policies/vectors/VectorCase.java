package dev.holdfast.policies.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One test vector: a small cluster, and what the plugins of the real kube-scheduler decided in it.
 *
 * @param facts the events that create the objects of the cluster
 * @param expected the scheduler's result for each pod
 */
record VectorCase(String id, List<ClusterEvent> facts, List<Expected> expected) {
    VectorCase {
        facts = List.copyOf(facts);
        expected = List.copyOf(expected);
    }

    /**
     * The scheduler's result for one pod: for each kind of rule {@code Satisfied}, {@code Violated}, or {@code None} if
     * the pod has no such rule.
     *
     * @param fits the names of the nodes that would accept the pod, sorted
     */
    record Expected(
            String pod,
            String nodeAffinity,
            String podAffinity,
            String podAntiAffinity,
            String topologySpread,
            List<String> fits) {
        Expected {
            fits = List.copyOf(fits);
        }

        /** {@return the kinds of rules whose verdict is Violated} */
        Set<RuleKind> violated() {
            Set<RuleKind> violated = EnumSet.noneOf(RuleKind.class);
            Map.of(
                            RuleKind.NODE_AFFINITY, nodeAffinity,
                            RuleKind.POD_AFFINITY, podAffinity,
                            RuleKind.POD_ANTI_AFFINITY, podAntiAffinity,
                            RuleKind.TOPOLOGY_SPREAD, topologySpread)
                    .forEach((kind, verdict) -> {
                        if (verdict.equals("Violated")) {
                            violated.add(kind);
                        }
                    });
            return violated;
        }
    }

    static VectorCase of(JsonNode json) {
        List<Expected> expected = new ArrayList<>();
        json.path("verdicts").forEach(verdict -> expected.add(expected(verdict)));
        return new VectorCase(json.path("id").asText(), VectorFiles.facts(json), expected);
    }

    private static Expected expected(JsonNode verdict) {
        List<String> fits = new ArrayList<>();
        verdict.path("fits").forEach(node -> fits.add(node.asText()));
        return new Expected(
                verdict.path("pod").asText(),
                verdict.path("nodeAffinity").asText(),
                verdict.path("podAffinity").asText(),
                verdict.path("podAntiAffinity").asText(),
                verdict.path("topologySpread").asText(),
                fits);
    }
}

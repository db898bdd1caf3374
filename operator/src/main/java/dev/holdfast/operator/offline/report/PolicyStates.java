package dev.holdfast.operator.offline.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.report.ClusterReport.Deadline;
import dev.holdfast.operator.offline.report.ClusterReport.HoldCount;
import dev.holdfast.operator.offline.report.ClusterReport.PolicyState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.HoldEnd;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says of each policy what it selects and finds, and what the operator's status of the policy says beside that. */
final class PolicyStates {
    private final List<Policy> policies;
    private final Map<PolicyId, JsonNode> statuses = new HashMap<>();
    private final CheckedCluster cluster;
    private final Mode strongest;

    /** @param strongest no policy acts in a stronger mode */
    PolicyStates(ReadCluster read, CheckedCluster cluster, Mode strongest) {
        this.policies = read.rules();
        this.cluster = cluster;
        this.strongest = strongest;
        for (ObjectNode object : read.policyObjects()) {
            DumpedPolicies.id(object).ifPresent(id -> statuses.put(id, object.path("status")));
        }
    }

    /** {@return the policies by name} */
    List<PolicyState> of(List<CheckReport.Violation> violations, Collection<Pod> listed) {
        Set<NamespacedName> names = new HashSet<>();
        listed.forEach(pod -> names.add(pod.name()));
        Map<String, List<CheckReport.Violation>> byPolicy = new HashMap<>();
        for (CheckReport.Violation violation : violations) {
            violation
                    .policies()
                    .forEach(it ->
                            byPolicy.computeIfAbsent(it, _ -> new ArrayList<>()).add(violation));
        }
        return policies.stream()
                .map(policy -> of(policy, byPolicy.getOrDefault(policy.id().toString(), List.of()), names))
                .sorted(Comparator.comparing(PolicyState::policy))
                .toList();
    }

    private PolicyState of(Policy policy, List<CheckReport.Violation> violations, Set<NamespacedName> listed) {
        JsonNode status = statuses.getOrDefault(policy.id(), MissingNode.getInstance());
        Mode mode = policy.mode().atMost(strongest);
        return new PolicyState(
                policy.id().toString(),
                mode.label(),
                mode == Mode.DISABLED ? 0 : cluster.selectedBy(policy.id()),
                violations.size(),
                mode == Mode.ENFORCE
                        ? (int) violations.stream()
                                .filter(it -> it.state() == ViolationState.DUE)
                                .count()
                        : 0,
                forgiveness(policy),
                holds(status),
                deadlines(status, policy.id().namespace().orElse(""), listed));
    }

    private static String forgiveness(Policy policy) {
        if (policy.requestsNothing()) {
            return "";
        }
        Duration least = policy.enforcements()
                .map(Enforcement::forgiveness)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        Duration most = policy.longestForgiveness();
        return TimeText.of(least) + (most.equals(least) ? "" : " to " + TimeText.of(most));
    }

    private static List<HoldCount> holds(JsonNode status) {
        List<HoldCount> holds = new ArrayList<>();
        for (JsonNode hold : status.path("holds")) {
            String reason = hold.path("reason").asText();
            holds.add(new HoldCount(reason, hold.path("count").asInt(), end(reason)));
        }
        return holds;
    }

    private static String end(String label) {
        return Arrays.stream(Reason.values())
                .filter(reason -> reason.label().equals(label))
                .findFirst()
                .flatMap(HoldEnd::of)
                .map(PolicyStates::text)
                .orElse("");
    }

    private static String text(HoldEnd end) {
        return switch (end) {
            case HoldEnd.AtTime(String text) -> "it ends " + text;
            case HoldEnd.ByItself(String text) -> "it ends when " + text;
            case HoldEnd.ByPerson(String text, var _) -> text;
        };
    }

    private static List<Deadline> deadlines(JsonNode status, String own, Set<NamespacedName> listed) {
        List<Deadline> deadlines = new ArrayList<>();
        for (JsonNode entry : status.path("violations")) {
            // The status of a PlacementPolicy leaves out its own namespace.
            Deadline deadline = new Deadline(
                    entry.path("namespace").asText(own),
                    entry.path("pod").asText(),
                    entry.path("node").asText(),
                    entry.path("rule").asText(),
                    entry.path("deadlineTime").asText(),
                    entry.path("state").asText(),
                    entry.path("reason").asText());
            if (listed.contains(new NamespacedName(deadline.namespace(), deadline.pod()))) {
                deadlines.add(deadline);
            }
        }
        return deadlines;
    }
}

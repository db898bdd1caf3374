package dev.holdfast.operator.offline.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.DisruptionControls.StandingException;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the policies of a cluster ask for about violations at one moment: their modes, exceptions and deadlines. */
public final class PolicyEnforcement {
    /** Without policies, no violation has a state. */
    public static final PolicyEnforcement NONE = new PolicyEnforcement(Map.of(), Map.of(), Mode.ENFORCE, Instant.EPOCH);

    private final Map<PolicyId, DisruptionControls> controls;
    private final Map<Key, Instant> deadlines;
    private final Mode maxMode;
    private final Instant now;

    /** An entry in the status of a policy. */
    private record Key(String policy, String namespace, String pod, String node, String rule) {}

    private PolicyEnforcement(
            Map<PolicyId, DisruptionControls> controls, Map<Key, Instant> deadlines, Mode maxMode, Instant now) {
        this.controls = Map.copyOf(controls);
        this.deadlines = Map.copyOf(deadlines);
        this.maxMode = maxMode;
        this.now = now;
    }

    /**
     * {@return the policies of a cluster that was read}
     *
     * @param maxMode the strongest mode that counts, as in the configuration of the operator
     * @param now the moment at which exceptions count and deadlines have passed
     */
    public static PolicyEnforcement of(ReadCluster cluster, Mode maxMode, Instant now) {
        Map<PolicyId, DisruptionControls> controls = new HashMap<>();
        for (Event.PolicyChanged changed : cluster.policies()) {
            controls.put(changed.policy().id(), changed.disruptionControls());
        }
        return new PolicyEnforcement(controls, deadlines(cluster.policyObjects()), maxMode, now);
    }

    private static Map<Key, Instant> deadlines(Collection<ObjectNode> policies) {
        Map<Key, Instant> deadlines = new HashMap<>();
        for (ObjectNode policy : policies) {
            String own = policy.at("/metadata/namespace").asText();
            String name = (own.isEmpty() ? "" : own + "/")
                    + policy.at("/metadata/name").asText();
            for (JsonNode entry : policy.at("/status/violations")) {
                // The status of a PlacementPolicy leaves out its own namespace.
                Key key = new Key(
                        name,
                        entry.path("namespace").asText(own),
                        entry.path("pod").asText(),
                        entry.path("node").asText(),
                        entry.path("rule").asText());
                instant(entry.path("deadlineTime").asText()).ifPresent(deadline -> deadlines.put(key, deadline));
            }
        }
        return deadlines;
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** {@return what policies ask for about a rule that a pod violates} */
    ViolationState stateOf(Pod pod, AppliedRule applied) {
        if (applied.policies().noneMatch(controls::containsKey)) {
            return ViolationState.UNASKED;
        }
        List<PolicyId> asking = applied.requestingPolicies(maxMode);
        if (asking.stream().allMatch(policy -> exception(policy, pod).isPresent())) {
            return ViolationState.EXCEPTED;
        }
        if (applied.mode(maxMode) != Mode.ENFORCE) {
            return ViolationState.AUDITED;
        }
        return asking.stream()
                        .filter(policy -> exception(policy, pod).isEmpty())
                        .anyMatch(policy -> isDue(pod, applied, policy))
                ? ViolationState.DUE
                : ViolationState.ENFORCED;
    }

    private boolean isDue(Pod pod, AppliedRule applied, PolicyId policy) {
        Key key = new Key(
                policy.toString(),
                pod.namespace(),
                pod.name().name(),
                pod.nodeName().orElseThrow(),
                applied.effectiveRequest(policy, maxMode).name());
        Optional<Instant> deadline = Optional.ofNullable(deadlines.get(key));
        return deadline.isPresent()
                ? !deadline.get().isAfter(now)
                : applied.forgiveness(policy).equals(Duration.ZERO);
    }

    /** {@return the exceptions that name a pod, of the policies that ask for the rule} */
    List<ExceptedPods> exceptions(Pod pod, AppliedRule applied) {
        return applied.requestingPolicies(maxMode).stream()
                .flatMap(policy -> exception(policy, pod).stream()
                        .map(exception -> new ExceptedPods(
                                policy.toString(),
                                exception.name(),
                                exception.reason(),
                                exception.until().map(Instant::toString).orElse(""),
                                1)))
                .toList();
    }

    private Optional<StandingException> exception(PolicyId policy, Pod pod) {
        return Optional.ofNullable(controls.get(policy)).stream()
                .flatMap(it -> it.exceptions().stream())
                .filter(exception -> exception.pods().matches(pod.labels()))
                .filter(exception ->
                        exception.until().filter(end -> !end.isAfter(now)).isEmpty())
                .findFirst();
    }
}

package dev.holdfast.operator.offline.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.DisruptionControls.StandingException;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the policies of a cluster ask for about violations at one moment: their modes, exceptions and deadlines. */
public final class PolicyEnforcement {
    /** Without policies, no violation has a state. */
    public static final PolicyEnforcement NONE =
            new PolicyEnforcement(Map.of(), Map.of(), Mode.ENFORCE, Instant.EPOCH, Beginnings.UNKNOWN);

    private final Map<PolicyId, DisruptionControls> controls;
    private final Map<Key, Instant> deadlines;
    private final Mode maxMode;
    private final Instant now;
    private final Beginnings beginnings;

    /** An entry in the status of a policy. */
    private record Key(String policy, String namespace, String pod, String node, String rule) {}

    private PolicyEnforcement(
            Map<PolicyId, DisruptionControls> controls,
            Map<Key, Instant> deadlines,
            Mode maxMode,
            Instant now,
            Beginnings beginnings) {
        this.controls = Map.copyOf(controls);
        this.deadlines = Map.copyOf(deadlines);
        this.maxMode = maxMode;
        this.now = now;
        this.beginnings = beginnings;
    }

    /** What was observed of violations that no status of a policy has a deadline for. */
    public interface Beginnings {
        /** Nothing was observed. */
        Beginnings UNKNOWN = (_, _, _, _) -> Optional.empty();

        /**
         * {@return when the forgiveness of a violation passes; empty if its beginning was not observed}
         *
         * @param overrides whether annotations may lengthen the forgiveness
         */
        Optional<Instant> deadline(Pod pod, AppliedRule applied, Duration forgiveness, PodOverrides overrides);
    }

    /** {@return the same policies at another moment, with what was observed until then} */
    public PolicyEnforcement at(Instant moment, Beginnings observed) {
        return new PolicyEnforcement(controls, deadlines, maxMode, moment, observed);
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
        return new PolicyEnforcement(controls, deadlines(cluster.policyObjects()), maxMode, now, Beginnings.UNKNOWN);
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
        return dueAt(pod, applied).filter(due -> !due.isAfter(now)).isPresent()
                ? ViolationState.DUE
                : ViolationState.ENFORCED;
    }

    /** {@return when a violation is due if it lasts; empty if no policy enforces the rule, or if that is not known} */
    public Optional<Instant> dueAt(Pod pod, AppliedRule applied) {
        return applied.policies().noneMatch(controls::containsKey) || applied.mode(maxMode) != Mode.ENFORCE
                ? Optional.empty()
                : applied.requestingPolicies(maxMode).stream()
                        .flatMap(policy -> dueAt(pod, applied, policy).stream())
                        .min(Comparator.naturalOrder());
    }

    /** {@return when a violation is due for a policy, which is not before the end of its exception for the pod} */
    private Optional<Instant> dueAt(Pod pod, AppliedRule applied, PolicyId policy) {
        Optional<Instant> deadline = deadline(pod, applied, policy);
        Optional<StandingException> exception = exception(policy, pod);
        return exception.isEmpty()
                ? deadline
                : exception.get().until().flatMap(end -> deadline.map(it -> it.isAfter(end) ? it : end));
    }

    private Optional<Instant> deadline(Pod pod, AppliedRule applied, PolicyId policy) {
        Key key = new Key(
                policy.toString(),
                pod.namespace(),
                pod.name().name(),
                pod.nodeName().orElseThrow(),
                applied.effectiveRequest(policy, maxMode).name());
        Duration forgiveness = applied.forgiveness(policy);
        return Optional.ofNullable(deadlines.get(key))
                .or(() -> beginnings.deadline(pod, applied, forgiveness, overrides(policy)))
                .or(() -> forgiveness.isZero() ? Optional.of(Instant.EPOCH) : Optional.empty());
    }

    private PodOverrides overrides(PolicyId policy) {
        return Optional.ofNullable(controls.get(policy))
                .map(DisruptionControls::overrides)
                .orElseGet(PodOverrides::all);
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

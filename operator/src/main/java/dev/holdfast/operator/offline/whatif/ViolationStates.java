package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.simulate.History;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What policies ask for about the violations of a simulation, in the words of {@code holdfast check}. */
public final class ViolationStates {
    private final History history;
    private final ClusterView cluster;
    private final Instant end;
    private final Map<PolicyId, DisruptionControls> controls = new HashMap<>();
    private final Set<ViolationKey> led = new HashSet<>();
    private final Set<ViolationKey> held = new HashSet<>();
    private final Set<ViolationKey> excepted = new HashSet<>();

    /**
     * @param cluster the cluster at the end
     * @param end the end of what was simulated
     * @param policies all policies; of several versions of one, the last counts
     */
    public ViolationStates(
            History history, ClusterView cluster, Instant end, Collection<Event.PolicyChanged> policies) {
        this.history = history;
        this.cluster = cluster;
        this.end = end;
        policies.forEach(changed -> controls.put(changed.policy().id(), changed.disruptionControls()));
        history.evictions().forEach(eviction -> led.add(eviction.violation().key()));
        history.held()
                .forEach(one -> (one.hold().reason() == Reason.EXCEPTION ? excepted : held)
                        .add(one.violation().key()));
    }

    /**
     * {@return what policies ask for about each violation that began or ended} One is due if its forgiveness passed
     * before it ended, or if it led to an eviction.
     */
    Map<ViolationKey, ViolationState> ofTurns() {
        Map<ViolationKey, ViolationState> all = new HashMap<>();
        history.ended().forEach((key, turn) -> all.put(key, of(turn.violation())));
        history.started().forEach((key, turn) -> all.put(key, of(turn.violation())));
        return all;
    }

    /** {@return what policies ask for about a violation} */
    public ViolationState of(ViolationReport violation) {
        ViolationKey key = violation.key();
        if (led.contains(key)) {
            return ViolationState.DUE;
        }
        if (violation.mode() != Mode.ENFORCE) {
            return ViolationState.AUDITED;
        }
        if (excepted.contains(key) || isExcepted(violation)) {
            return ViolationState.EXCEPTED;
        }
        Instant until = Optional.ofNullable(history.ended().get(key))
                .map(History.Turn::at)
                .orElse(end);
        return held.contains(key) || !violation.deadline().isAfter(until)
                ? ViolationState.DUE
                : ViolationState.ENFORCED;
    }

    /** {@return whether an exception of the policy names the pod at the end} */
    private boolean isExcepted(ViolationReport violation) {
        return cluster.pod(violation.key().podUid())
                .filter(pod -> Optional.ofNullable(controls.get(violation.policy())).stream()
                        .flatMap(it -> it.exceptions().stream())
                        .filter(it ->
                                it.until().filter(over -> !over.isAfter(end)).isEmpty())
                        .anyMatch(it -> it.pods().matches(pod.labels())))
                .isPresent();
    }
}

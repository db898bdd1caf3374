package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.StatusDraft;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads policies and builds their status as the reconcilers do, without a cluster. */
public final class PlayedPolicies {
    private final PolicyRegistry book;
    private final InstantSource clock;
    private final Map<PolicyId, PolicyEntry> entries = new HashMap<>();

    /** @param engine takes the events PolicyChanged, PolicyAcknowledged and PolicyRemoved */
    public PlayedPolicies(Consumer<Event> engine, InstantSource clock) {
        this.clock = clock;
        this.book = new PolicyRegistry(new PolicyTranslator(Duration.ofMinutes(5)), engine, _ -> {}, clock);
    }

    /** Reads a new or edited policy, and sends it to the engine if it is valid. */
    public void take(PlacementPolicy policy) {
        book.take(policy).ifPresent(entry -> entries.put(PolicyRegistry.id(policy), entry));
    }

    /** Reads a new or edited policy, and sends it to the engine if it is valid. */
    public void take(ClusterPlacementPolicy policy) {
        book.take(policy).ifPresent(entry -> entries.put(PolicyRegistry.id(policy), entry));
    }

    /** {@return the status of the policy that this report is about} */
    public PolicyStatus status(PolicyReport report) {
        PolicyEntry entry = Objects.requireNonNull(entries.get(report.policy()), "a report of a policy never taken");
        StatusInput statusInput = new StatusInput(
                entry, Optional.of(report), Optional.empty(), Optional.empty(), InjectionSupport.INSTALLED);
        return StatusDraft.of(statusInput, Optional.empty(), List.of(), clock.instant());
    }
}

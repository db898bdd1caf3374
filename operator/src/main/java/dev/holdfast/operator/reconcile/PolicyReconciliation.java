package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The reconciliation that both policy kinds share: writes the engine's latest report on a policy to the policy's
 * status.
 */
final class PolicyReconciliation<P extends CustomResource<?, PolicyStatus>> {
    private final PolicyStore<P> store;
    private final StatusScheduler statusScheduler;
    private final StatusWriter writer;
    private final Function<PolicyStatus, P> withOnlyStatus;
    private final SimpleInboundEventSource<P> trigger = new SimpleInboundEventSource<>("reports");

    /**
     * Creates the reconciliation of one policy kind.
     *
     * @param store the informer's store of all policies of this kind
     * @param fresh creates an object that has only a status
     */
    PolicyReconciliation(
            PolicyStore<P> store,
            StatusScheduler statusScheduler,
            StatusWriter writer,
            Function<PolicyStatus, P> fresh) {
        this.writer = writer;
        this.store = store;
        this.statusScheduler = statusScheduler;
        this.withOnlyStatus = fresh;
    }

    List<EventSource<?, P>> eventSources() {
        return List.of(trigger);
    }

    UpdateControl<P> reconcile(P policy, Context<P> context) {
        PolicyId id = PolicyRegistry.id(policy);
        UpdateControl<P> wanted = store.entry(policy)
                .map(entry -> statusScheduler.decide(
                        id,
                        entry,
                        Optional.ofNullable(policy.getStatus()),
                        context.getRetryInfo().isPresent()))
                .map(decision -> control(policy, decision))
                .orElseGet(UpdateControl::noUpdate);
        return writer.carryOut(wanted);
    }

    private UpdateControl<P> control(P policy, StatusDecision decision) {
        return switch (decision) {
            case StatusDecision.Leave _ -> UpdateControl.noUpdate();
            case StatusDecision.Later(var delay) -> UpdateControl.<P>noUpdate().rescheduleAfter(delay);
            case StatusDecision.Write(PolicyStatus status) -> UpdateControl.patchStatus(withStatus(policy, status));
        };
    }

    /**
     * {@return the object for the server-side apply: it has only the fields that the operator owns, those of the
     * status}
     */
    private P withStatus(P policy, PolicyStatus status) {
        P patch = withOnlyStatus.apply(status);
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(policy.getMetadata().getNamespace())
                .withName(policy.getMetadata().getName())
                .build());
        return patch;
    }

    /** Triggers a reconciliation of one policy. */
    void notifyChanged(PolicyId policy) {
        trigger.propagateEvent(
                policy.namespace().map(it -> new ResourceID(policy.name(), it)).orElse(new ResourceID(policy.name())));
    }
}

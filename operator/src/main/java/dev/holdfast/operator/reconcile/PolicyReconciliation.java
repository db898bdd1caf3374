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

/** What the reconcilers of both kinds do: they write the engine's word to the status of the policy. */
final class PolicyReconciliation<P extends CustomResource<?, PolicyStatus>> {
    private final PolicyStore<P> store;
    private final StatusScheduler desk;
    private final Function<PolicyStatus, P> fresh;
    private final SimpleInboundEventSource<P> bell = new SimpleInboundEventSource<>("reports");

    /**
     * The common body.
     *
     * @param store of the policies' informer
     * @param fresh an object with nothing but this status
     */
    PolicyReconciliation(PolicyStore<P> store, StatusScheduler desk, Function<PolicyStatus, P> fresh) {
        this.store = store;
        this.desk = desk;
        this.fresh = fresh;
    }

    List<EventSource<?, P>> eventSources() {
        return List.of(bell);
    }

    UpdateControl<P> reconcile(P policy, Context<P> context) {
        PolicyId id = PolicyRegistry.id(policy);
        return store.entry(policy)
                .map(entry -> desk.decide(
                        id,
                        entry,
                        Optional.ofNullable(policy.getStatus()),
                        context.getRetryInfo().isPresent()))
                .map(decision -> control(policy, decision))
                .orElseGet(UpdateControl::noUpdate);
    }

    private UpdateControl<P> control(P policy, StatusDecision decision) {
        return switch (decision) {
            case StatusDecision.Leave _ -> UpdateControl.noUpdate();
            case StatusDecision.Later(var delay) -> UpdateControl.<P>noUpdate().rescheduleAfter(delay);
            case StatusDecision.Write(PolicyStatus status) -> UpdateControl.patchStatus(withStatus(policy, status));
        };
    }

    /** Server-side apply: nothing goes over the wire but what is ours. */
    private P withStatus(P policy, PolicyStatus status) {
        P patch = fresh.apply(status);
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(policy.getMetadata().getNamespace())
                .withName(policy.getMetadata().getName())
                .build());
        return patch;
    }

    /** Calls for a look at one policy. */
    void ring(PolicyId policy) {
        bell.propagateEvent(
                policy.namespace().map(it -> new ResourceID(policy.name(), it)).orElse(new ResourceID(policy.name())));
    }
}

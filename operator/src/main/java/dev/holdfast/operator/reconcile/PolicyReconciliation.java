package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.ResourceCache;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the reconcilers of both kinds do: the policy to the engine, the engine's word to the status. */
final class PolicyReconciliation<P extends CustomResource<?, PolicyStatus>> {
    private final PolicyBook book;
    private final StatusDesk desk;
    private final Function<P, Optional<PolicyEntry>> take;
    private final Function<PolicyStatus, P> fresh;
    private final SimpleInboundEventSource<P> bell = new SimpleInboundEventSource<>("reports");
    private volatile Optional<ResourceCache<P>> cache = Optional.empty();

    /**
     * The common body.
     *
     * @param take writes a policy into the book
     * @param fresh an object with nothing but this status
     */
    PolicyReconciliation(
            PolicyBook book,
            StatusDesk desk,
            Function<P, Optional<PolicyEntry>> take,
            Function<PolicyStatus, P> fresh) {
        this.book = book;
        this.desk = desk;
        this.take = take;
        this.fresh = fresh;
    }

    List<EventSource<?, P>> eventSources(EventSourceContext<P> context) {
        cache = Optional.of(context.getPrimaryCache());
        return List.of(bell);
    }

    UpdateControl<P> reconcile(P policy, Context<P> context) {
        PolicyId id = PolicyBook.id(policy);
        if (context.isPrimaryResourceDeleted()) {
            book.gone(id, policy.getMetadata().getUid());
            return UpdateControl.noUpdate();
        }
        return take.apply(policy)
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

    /** Writes all policies that are known now into the book. */
    void handOverAll() {
        cache.ifPresent(it -> it.list().forEach(policy -> {
            var _ = take.apply(policy);
        }));
    }

    /** Calls for a look at one policy. */
    void ring(PolicyId policy) {
        bell.propagateEvent(
                policy.namespace().map(it -> new ResourceID(policy.name(), it)).orElse(new ResourceID(policy.name())));
    }
}

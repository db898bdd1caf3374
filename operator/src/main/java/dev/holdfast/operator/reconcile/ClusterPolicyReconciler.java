package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.util.List;

/** Policies of the whole cluster. */
@ControllerConfiguration(name = "clusterplacementpolicy", fieldManager = "holdfast")
final class ClusterPolicyReconciler implements Reconciler<ClusterPlacementPolicy> {
    private final PolicyReconciliation<ClusterPlacementPolicy> body;
    private final StatusErrors trouble;

    ClusterPolicyReconciler(PolicyStore<ClusterPlacementPolicy> store, StatusScheduler desk, StatusErrors trouble) {
        this.trouble = trouble;
        this.body = new PolicyReconciliation<>(store, desk, ClusterPolicyReconciler::fresh);
    }

    @Override
    public List<EventSource<?, ClusterPlacementPolicy>> prepareEventSources(
            EventSourceContext<ClusterPlacementPolicy> context) {
        return body.eventSources();
    }

    @Override
    public UpdateControl<ClusterPlacementPolicy> reconcile(
            ClusterPlacementPolicy policy, Context<ClusterPlacementPolicy> context) {
        return body.reconcile(policy, context);
    }

    @Override
    public ErrorStatusUpdateControl<ClusterPlacementPolicy> updateErrorStatus(
            ClusterPlacementPolicy policy, Context<ClusterPlacementPolicy> context, Exception failure) {
        trouble.tell(policy, failure);
        return ErrorStatusUpdateControl.defaultErrorProcessing();
    }

    PolicyReconciliation<ClusterPlacementPolicy> body() {
        return body;
    }

    private static ClusterPlacementPolicy fresh(PolicyStatus status) {
        ClusterPlacementPolicy policy = new ClusterPlacementPolicy();
        policy.setStatus(status);
        return policy;
    }
}

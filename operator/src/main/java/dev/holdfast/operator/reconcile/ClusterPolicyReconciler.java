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

/** The reconciler of ClusterPlacementPolicies: writes their status. */
@ControllerConfiguration(name = "clusterplacementpolicy")
final class ClusterPolicyReconciler implements Reconciler<ClusterPlacementPolicy> {
    private final PolicyReconciliation<ClusterPlacementPolicy> reconciliation;
    private final StatusErrors statusErrors;

    ClusterPolicyReconciler(
            PolicyStore<ClusterPlacementPolicy> store,
            StatusScheduler scheduler,
            StatusWriter writer,
            StatusErrors statusErrors) {
        this.statusErrors = statusErrors;
        this.reconciliation =
                new PolicyReconciliation<>(store, scheduler, writer, ClusterPolicyReconciler::withOnlyStatus);
    }

    @Override
    public List<EventSource<?, ClusterPlacementPolicy>> prepareEventSources(
            EventSourceContext<ClusterPlacementPolicy> context) {
        return reconciliation.eventSources();
    }

    @Override
    public UpdateControl<ClusterPlacementPolicy> reconcile(
            ClusterPlacementPolicy policy, Context<ClusterPlacementPolicy> context) {
        return reconciliation.reconcile(policy, context);
    }

    @Override
    public ErrorStatusUpdateControl<ClusterPlacementPolicy> updateErrorStatus(
            ClusterPlacementPolicy policy, Context<ClusterPlacementPolicy> context, Exception failure) {
        statusErrors.report(policy, failure);
        return ErrorStatusUpdateControl.defaultErrorProcessing();
    }

    PolicyReconciliation<ClusterPlacementPolicy> body() {
        return reconciliation;
    }

    private static ClusterPlacementPolicy withOnlyStatus(PolicyStatus status) {
        ClusterPlacementPolicy policy = new ClusterPlacementPolicy();
        policy.setStatus(status);
        return policy;
    }
}

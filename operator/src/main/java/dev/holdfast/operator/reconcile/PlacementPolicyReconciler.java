package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.util.List;

/** The reconciler of PlacementPolicies: writes their status. */
@ControllerConfiguration(name = "placementpolicy")
final class PlacementPolicyReconciler implements Reconciler<PlacementPolicy> {
    private final PolicyReconciliation<PlacementPolicy> reconciliation;
    private final StatusErrors statusErrors;

    PlacementPolicyReconciler(
            PolicyStore<PlacementPolicy> store,
            StatusScheduler scheduler,
            StatusWriter writer,
            StatusErrors statusErrors) {
        this.statusErrors = statusErrors;
        this.reconciliation =
                new PolicyReconciliation<>(store, scheduler, writer, PlacementPolicyReconciler::withOnlyStatus);
    }

    @Override
    public List<EventSource<?, PlacementPolicy>> prepareEventSources(EventSourceContext<PlacementPolicy> context) {
        return reconciliation.eventSources();
    }

    @Override
    public UpdateControl<PlacementPolicy> reconcile(PlacementPolicy policy, Context<PlacementPolicy> context) {
        return reconciliation.reconcile(policy, context);
    }

    @Override
    public ErrorStatusUpdateControl<PlacementPolicy> updateErrorStatus(
            PlacementPolicy policy, Context<PlacementPolicy> context, Exception failure) {
        statusErrors.report(policy, failure);
        return ErrorStatusUpdateControl.defaultErrorProcessing();
    }

    PolicyReconciliation<PlacementPolicy> body() {
        return reconciliation;
    }

    private static PlacementPolicy withOnlyStatus(PolicyStatus status) {
        PlacementPolicy policy = new PlacementPolicy();
        policy.setStatus(status);
        return policy;
    }
}

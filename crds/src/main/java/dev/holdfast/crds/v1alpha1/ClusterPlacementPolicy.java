package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A cluster-scoped policy that holds pods of all or selected namespaces to required placement rules while they run. */
@JsonClassDescription(
        "Holds the pods of all namespaces, or of those that it selects, to their required placement rules while they"
                + " run. {spec: {}} audits all of them and evicts nothing.")
@Group("holdfast.dev")
@Version("v1alpha1")
@Plural("clusterplacementpolicies")
@ShortNames("cplpol")
@Categories("holdfast")
public final class ClusterPlacementPolicy extends CustomResource<ClusterPlacementPolicySpec, PolicyStatus> {
    private static final long serialVersionUID = 1L;
}

package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A policy that holds pods of its own namespace to required placement rules while they run. */
@JsonClassDescription("Holds the pods of its own namespace to their required placement rules while they run."
        + " {spec: {}} audits all of them and evicts nothing.")
@Group("holdfast.dev")
@Version("v1alpha1")
@Plural("placementpolicies")
@ShortNames("plpol")
@Categories("holdfast")
public final class PlacementPolicy extends CustomResource<PlacementPolicySpec, PolicyStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;
}

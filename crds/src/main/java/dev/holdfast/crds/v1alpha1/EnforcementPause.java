package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.holdfast.crds.v1alpha1.status.PauseStatus;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** The stop switch: while a pause applies, Holdfast evicts no pod of the namespaces that the pause selects. */
@JsonClassDescription(
        "Stops all evictions by Holdfast in all namespaces, or in those that it selects, for every policy. One pause"
                + " that applies is enough. {spec: {reason: stop}} stops all evictions until it is deleted.")
@Group("holdfast.dev")
@Version("v1alpha1")
@ShortNames("epause")
@Categories("holdfast")
public final class EnforcementPause extends CustomResource<EnforcementPauseSpec, PauseStatus> {
    private static final long serialVersionUID = 1L;
}

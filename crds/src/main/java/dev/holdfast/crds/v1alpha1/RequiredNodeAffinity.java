package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.core.NodeSelector;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A rule of kind node affinity: the nodes that a pod may run on. The rule has the shape of a pod's {@code
 * nodeAffinity}, without preferred terms.
 *
 * @param required node selector that the pod's node must match; never {@code null} in an admitted object
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RequiredNodeAffinity(
        @Required
        @JsonPropertyDescription("The nodes that the pod may run on, in the shape of a pod's"
                + " requiredDuringSchedulingIgnoredDuringExecution. Required. Example: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}.")
        @Nullable
        NodeSelector required) {}

package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A disruption budget. */
@Group("policy")
@Version("v1")
@Kind("PodDisruptionBudget")
@Plural("poddisruptionbudgets")
@Singular("poddisruptionbudget")
@JsonDeserialize(using = JsonDeserializer.None.class)
final class SlimBudget extends SlimObject implements Namespaced {
    public Spec spec = new Spec(null);
    public Status status = new Status(null, null);

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Spec(@Nullable LabelSelector selector) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Status(
            @Nullable Long observedGeneration, @Nullable Integer disruptionsAllowed) {}
}

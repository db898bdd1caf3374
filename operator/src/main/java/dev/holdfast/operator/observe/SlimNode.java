package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node. */
@Group("")
@Version("v1")
@Kind("Node")
@Plural("nodes")
@Singular("node")
@JsonDeserialize(using = JsonDeserializer.None.class)
final class SlimNode extends SlimObject {
    public Spec spec = new Spec(null, null);
    public Status status = new Status(null);

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Spec(@Nullable List<Taint> taints, @Nullable Boolean unschedulable) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Status(@Nullable List<SlimCondition> conditions) {}
}

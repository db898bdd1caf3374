package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pod. */
@Group("")
@Version("v1")
@Kind("Pod")
@Plural("pods")
@Singular("pod")
@JsonDeserialize(using = JsonDeserializer.None.class)
final class SlimPod extends SlimObject implements Namespaced {
    public Spec spec = new Spec(null, null, null, null, null, null, null, null);
    public Status status = new Status(null, null);

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Spec(
            @Nullable String nodeName,
            @Nullable Map<String, String> nodeSelector,
            @Nullable Affinity affinity,
            @Nullable List<TopologySpreadConstraint> topologySpreadConstraints,
            @Nullable List<Toleration> tolerations,
            @Nullable Integer priority,
            @Nullable String restartPolicy,
            @Nullable Map<String, Object> schedulingGroup) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Status(@Nullable String phase, @Nullable List<SlimCondition> conditions) {}
}

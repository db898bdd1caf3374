package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** An object that makes pods. */
@JsonDeserialize(using = JsonDeserializer.None.class)
abstract class SlimOwner extends SlimObject implements Namespaced {
    public Spec spec = new Spec(null);

    /** How many pods it wants; a Job has no such number. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Spec(@Nullable Integer replicas) {}

    /** A ReplicaSet. */
    @Group("apps")
    @Version("v1")
    @Kind("ReplicaSet")
    @Plural("replicasets")
    @Singular("replicaset")
    @JsonDeserialize(using = JsonDeserializer.None.class)
    static final class ReplicaSet extends SlimOwner {}

    /** A StatefulSet. */
    @Group("apps")
    @Version("v1")
    @Kind("StatefulSet")
    @Plural("statefulsets")
    @Singular("statefulset")
    @JsonDeserialize(using = JsonDeserializer.None.class)
    static final class StatefulSet extends SlimOwner {}

    /** A Job. */
    @Group("batch")
    @Version("v1")
    @Kind("Job")
    @Plural("jobs")
    @Singular("job")
    @JsonDeserialize(using = JsonDeserializer.None.class)
    static final class Job extends SlimOwner {}
}

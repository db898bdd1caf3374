package dev.holdfast.operator.observe;

import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A namespace. */
@Group("")
@Version("v1")
@Kind("Namespace")
@Plural("namespaces")
@Singular("namespace")
@JsonDeserialize(using = JsonDeserializer.None.class)
final class SlimNamespace extends SlimObject {}

package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/**
 * An object of the API server cut down to what the engine reads: all else is skipped while it is parsed and never
 * takes memory.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
// HasMetadata brings a deserializer of its own, which would hand back the full type.
@JsonDeserialize(using = JsonDeserializer.None.class)
abstract class SlimObject implements HasMetadata {
    private ObjectMeta metadata = new ObjectMeta();
    private String apiVersion = HasMetadata.getApiVersion(getClass());

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        this.metadata = metadata;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public void setApiVersion(String version) {
        this.apiVersion = version;
    }

    /** {@return what no other object ever has or had} */
    final String uid() {
        return metadata.getUid();
    }
}

package dev.holdfast.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.policies.model.DisruptionAnnotations;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * JSON of policies and pauses, read without the metadata that Holdfast does not use. Labels, annotations, finalizers
 * and managed fields may take a megabyte of each policy, and of these Holdfast reads one annotation.
 */
final class TrimmedMetadata {
    private TrimmedMetadata() {}

    /** {@return a mapper that skips the unused metadata when it reads, and writes all metadata} */
    static ObjectMapper mapper() {
        return JsonMapper.builder()
                .addMixIn(ObjectMeta.class, MetadataMixin.class)
                .build();
    }

    /** {@return the same mapper, which also skips the spec: for responses to writes of a status} */
    static ObjectMapper mapperWithoutSpec() {
        return mapper().addMixIn(CustomResource.class, WithoutSpec.class);
    }

    @JsonIgnoreProperties("spec")
    interface WithoutSpec {}

    @JsonIgnoreProperties(
            value = {"labels", "finalizers", "managedFields", "ownerReferences"},
            allowGetters = true)
    interface MetadataMixin {
        @JsonDeserialize(using = UsedAnnotations.class)
        void setAnnotations(Map<String, String> annotations);
    }

    /** Reads the annotations that Holdfast uses, and skips all others. */
    private static final class UsedAnnotations extends JsonDeserializer<Map<String, String>> {
        @Override
        public Map<String, String> deserialize(JsonParser json, DeserializationContext context) throws IOException {
            Map<String, String> used = new HashMap<>();
            for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (key.equals(DisruptionAnnotations.ACKNOWLEDGE) && value == JsonToken.VALUE_STRING) {
                    String ids = json.getText();
                    used.put(
                            key, ids.substring(0, Math.min(ids.length(), DisruptionAnnotations.MOST_ACKNOWLEDGEMENTS)));
                } else {
                    json.skipChildren();
                }
            }
            return used;
        }
    }
}

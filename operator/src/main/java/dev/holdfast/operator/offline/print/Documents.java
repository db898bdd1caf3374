package dev.holdfast.operator.offline.print;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.List;

/** Reports as documents for programs. */
public final class Documents {
    private Documents() {}

    /** {@return the report as JSON} */
    public static List<String> json(Record report) {
        return lines(json(), report);
    }

    /** {@return a document of a form that is not ours as JSON} */
    public static List<String> json(JsonNode document) {
        return lines(json(), document);
    }

    private static ObjectWriter json() {
        // A terminal may act on some control characters above ASCII.
        return new ObjectMapper().writerWithDefaultPrettyPrinter().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    }

    /** {@return the report as YAML} */
    public static List<String> yaml(Record report) {
        YAMLFactory yaml = YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build();
        return lines(new ObjectMapper(yaml).writer(), report);
    }

    private static List<String> lines(ObjectWriter writer, Object report) {
        try {
            return writer.writeValueAsString(report).lines().toList();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report has only texts and numbers", e);
        }
    }
}

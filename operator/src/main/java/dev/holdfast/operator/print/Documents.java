package dev.holdfast.operator.print;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
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
        // A terminal may act on some control characters above ASCII.
        return lines(
                new ObjectMapper().writerWithDefaultPrettyPrinter().with(JsonWriteFeature.ESCAPE_NON_ASCII), report);
    }

    /** {@return the report as YAML} */
    public static List<String> yaml(Record report) {
        YAMLFactory yaml = YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build();
        return lines(new ObjectMapper(yaml).writer(), report);
    }

    private static List<String> lines(ObjectWriter writer, Record report) {
        try {
            return writer.writeValueAsString(report).lines().toList();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report has only texts and numbers", e);
        }
    }
}

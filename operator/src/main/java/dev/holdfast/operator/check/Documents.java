package dev.holdfast.operator.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.List;

/** Reports as documents for programs. */
final class Documents {
    private Documents() {}

    static List<String> json(Record report) {
        return lines(new ObjectMapper().writerWithDefaultPrettyPrinter(), report);
    }

    static List<String> yaml(Record report) {
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

package dev.holdfast.operator.offline.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.offline.check.watch.ViolationChange;
import dev.holdfast.operator.offline.explain.PodExplanation;
import dev.holdfast.operator.offline.explain.PodListExplanation;
import dev.holdfast.operator.offline.explain.ScoreExplanation;
import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.soft.SoftReport;
import dev.holdfast.operator.offline.whatif.WhatIfReport;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The published JSON schemas describe the records that are printed, field by field. */
class ReportSchemaTest {
    private static final Path SCHEMAS = Path.of("..", "docs", "schemas");

    private JsonNode schema = new ObjectMapper().createObjectNode();

    static Stream<Arguments> reports() {
        return Stream.of(
                argumentSet("check", CheckReport.class, "check-report.json", CheckReport.KIND),
                argumentSet("check --soft", SoftReport.class, "soft-report.json", "SoftReport"),
                argumentSet("check of a watch", ViolationChange.class, "violation-change.json", "ViolationChange"),
                argumentSet("explain", PodExplanation.class, "pod-explanation.json", PodExplanation.KIND),
                argumentSet(
                        "explain of a workload or node",
                        PodListExplanation.class,
                        "pod-list-explanation.json",
                        PodListExplanation.KIND),
                argumentSet(
                        "explain with scores", ScoreExplanation.class, "score-explanation.json", "ScoreExplanation"),
                argumentSet("what-if", WhatIfReport.class, "what-if-report.json", WhatIfReport.KIND),
                argumentSet("test", TestReport.class, "test-report.json", TestReport.KIND),
                argumentSet("report", ClusterReport.class, "cluster-report.json", ClusterReport.KIND));
    }

    @ParameterizedTest
    @MethodSource("reports")
    void theSchemaHasTheFieldsOfTheReport(Class<?> report, String file, String kind) throws IOException {
        schema = new ObjectMapper().readTree(Files.readString(SCHEMAS.resolve(file)));

        sameFields(report, schema);
        assertThat(schema.at("/properties/apiVersion/const").asText()).isEqualTo(CheckReport.API_VERSION);
        assertThat(schema.at("/properties/kind/const").asText()).isEqualTo(kind);
    }

    private void sameFields(Class<?> written, JsonNode described) {
        JsonNode object = described.has("$ref")
                ? schema.at(described.path("$ref").asText().substring(1))
                : described;
        List<RecordComponent> components = Arrays.stream(written.getRecordComponents())
                .filter(it -> it.getAccessor().getAnnotation(JsonIgnore.class) == null)
                .toList();
        List<String> names = Stream.concat(
                        components.stream().map(RecordComponent::getName),
                        Arrays.stream(written.getDeclaredMethods())
                                .filter(it -> it.getAnnotation(JsonProperty.class) != null)
                                .map(Method::getName))
                .toList();
        assertThat(names(object.path("properties").fieldNames()))
                .as(written.getSimpleName())
                .isEqualTo(names);
        assertThat(texts(object.path("required")))
                .as("required in " + written.getSimpleName())
                .isEqualTo(names);
        for (RecordComponent component : components) {
            JsonNode field = object.path("properties").path(component.getName());
            if (component.getType().isRecord()) {
                sameFields(component.getType(), field);
            } else if (component.getType() == List.class) {
                assertThat(field.path("type").asText()).isEqualTo("array");
                Type item = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
                if (((Class<?>) item).isRecord()) {
                    sameFields((Class<?>) item, field.path("items"));
                }
            }
        }
    }

    private static List<String> names(Iterator<String> fields) {
        List<String> names = new ArrayList<>();
        fields.forEachRemaining(names::add);
        return names;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}

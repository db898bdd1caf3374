package dev.holdfast.operator.offline.report.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.Reports;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The structure that GitHub code scanning requires. Source: "SARIF support for code scanning" of the GitHub docs. */
class SarifReportTest {
    private static final String POD = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n1}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, uid: u1}, spec: {nodeName: n1, nodeSelector: {a: b}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: lost, namespace: shop, uid: u2}, spec: {nodeName: n2, nodeSelector: {a: b}}}
        """;

    private static JsonNode sarif(ClusterReport report) throws Exception {
        return new ObjectMapper()
                .readTree(String.join("\n", ReportOutput.SARIF.lines(report, Reports.NO_MAP, "0.1.0")));
    }

    @Test
    void theDocumentHasWhatCodeScanningRequires() throws Exception {
        JsonNode document = sarif(Reports.ofSample());

        assertThat(document.path("$schema").asText()).contains("sarif-2.1.0");
        assertThat(document.path("version").asText()).isEqualTo("2.1.0");
        assertThat(document.path("runs")).hasSize(1);
        JsonNode driver = document.at("/runs/0/tool/driver");
        assertThat(driver.path("name").asText()).isEqualTo("Holdfast");
        List<String> rules = new ArrayList<>();
        for (JsonNode rule : driver.path("rules")) {
            rules.add(rule.path("id").asText());
            assertThat(rule.at("/shortDescription/text").asText()).isNotEmpty();
            assertThat(rule.at("/fullDescription/text").asText()).isNotEmpty();
            assertThat(rule.at("/defaultConfiguration/level").asText()).isEqualTo("error");
        }
        assertThat(rules).containsExactly("NodeAffinity", "PodAffinity", "PodAntiAffinity", "TopologySpread", "All");
        Set<String> fingerprints = new HashSet<>();
        JsonNode results = document.at("/runs/0/results");
        assertThat(results).hasSize(6);
        for (JsonNode result : results) {
            assertThat(rules.get(result.path("ruleIndex").asInt()))
                    .isEqualTo(result.path("ruleId").asText());
            assertThat(result.at("/message/text").asText()).startsWith("shop/");
            assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri")
                            .asText())
                    .isEqualTo("shop.yaml");
            for (String place : List.of("startLine", "startColumn", "endLine", "endColumn")) {
                assertThat(result.at("/locations/0/physicalLocation/region/" + place)
                                .asInt())
                        .isPositive();
            }
            assertThat(result.at("/locations/0/logicalLocations/0/fullyQualifiedName")
                            .asText())
                    .startsWith("shop/");
            fingerprints.add(
                    result.at("/partialFingerprints/primaryLocationLineHash").asText());
        }
        assertThat(fingerprints).hasSize(6).allMatch(it -> it.matches("[0-9a-f]{32}:1"));
    }

    @Test
    void aViolationIsAnErrorAndARuleWithoutVerdictANote() throws Exception {
        JsonNode results = sarif(Reports.of(POD)).at("/runs/0/results");

        assertThat(results.findValuesAsText("level")).containsExactly("error", "note");
    }

    static Stream<Arguments> sources() {
        return Stream.of(
                argumentSet("no file: the path of the pod", "", "namespaces/shop/pods/web"),
                argumentSet("a file in a folder", "dumps/prod.yaml", "dumps/prod.yaml"),
                argumentSet("a file from the root", "/tmp/prod.yaml", "file:///tmp/prod.yaml"),
                argumentSet("other characters are encoded", "a b/\u00fc%#?.yaml", "a%20b/%C3%BC%25%23%3F.yaml"));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aResultIsIn(String source, String uri) throws Exception {
        JsonNode document = sarif(Reports.of(source, POD, 0));

        assertThat(document.at("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri")
                        .asText())
                .isEqualTo(uri);
    }

    @Test
    void theFingerprintFollowsThePodAndNotItsName() throws Exception {
        String first = fingerprint(POD);

        assertThat(fingerprint(POD.replace("name: web", "name: web2"))).isEqualTo(first);
        assertThat(fingerprint(POD.replace("uid: u1", "uid: u3"))).isNotEqualTo(first);
        assertThat(fingerprint(POD.replace("{a: b}", "{a: c}"))).isNotEqualTo(first);
    }

    private static String fingerprint(String yaml) throws Exception {
        for (JsonNode result : sarif(Reports.of(yaml)).at("/runs/0/results")) {
            if (result.path("level").asText().equals("error")) {
                return result.at("/partialFingerprints/podAndRule~1v1").asText();
            }
        }
        throw new AssertionError("no violation");
    }
}

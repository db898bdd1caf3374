package dev.holdfast.operator.offline.report.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.policies.rule.RuleKind;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report in the Static Analysis Results Interchange Format (SARIF) 2.1.0, which code scanning reads. A violation is
 * a result of level error, a rule without a verdict one of level note. Source: SARIF 2.1.0, OASIS; the properties that
 * GitHub requires are set.
 */
final class SarifReport {
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    /** The rule of results about a pod of which no rule was read. */
    private static final String ALL = "All";

    private static final List<String> RULES = Stream.concat(
                    Arrays.stream(RuleKind.values()).map(RuleKind::label), Stream.of(ALL))
            .toList();

    private final ClusterReport report;
    private final String version;

    /** @param version the version of Holdfast */
    SarifReport(ClusterReport report, String version) {
        this.report = report;
        this.version = version;
    }

    /** {@return the document} */
    ObjectNode document() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("$schema", SCHEMA);
        document.put("version", "2.1.0");
        ObjectNode run = document.putArray("runs").addObject();
        ObjectNode driver = run.putObject("tool").putObject("driver");
        driver.put("name", "Holdfast");
        driver.put("version", version);
        driver.put("semanticVersion", version);
        ArrayNode rules = driver.putArray("rules");
        RULES.forEach(rule -> rule(rules.addObject(), rule));
        run.put("columnKind", "utf16CodeUnits");
        ArrayNode results = run.putArray("results");
        report.violations()
                .forEach(it -> result(
                        results.addObject(),
                        it,
                        "error",
                        it.breach() + " (rule " + it.ruleText() + " on node " + it.node() + "). It would heal: "
                                + it.heals()));
        report.undetermined()
                .forEach(it -> result(
                        results.addObject(),
                        it,
                        "note",
                        "no verdict on rule " + it.rule().name() + ": " + it.message() + " (" + it.reason() + ")"));
        return document;
    }

    private static void rule(ObjectNode rule, String id) {
        String description = id.equals(ALL)
                ? "The rules of the pod's spec are too complex to be read"
                : "The pod violates a required rule of kind " + id + " on its node";
        rule.put("id", id);
        rule.put("name", id);
        rule.putObject("shortDescription").put("text", description);
        rule.putObject("fullDescription").put("text", description + ".");
        rule.putObject("defaultConfiguration").put("level", "error");
        ObjectNode properties = rule.putObject("properties");
        properties.putArray("tags").add("kubernetes").add("placement");
        properties.put("precision", "very-high");
        properties.put("problem.severity", "error");
    }

    private void result(ObjectNode result, CheckReport.OfPod entry, String level, String message) {
        String name = Printable.of(entry.namespace() + "/" + entry.pod());
        result.put("ruleId", entry.rule().kind());
        result.put("ruleIndex", RULES.indexOf(entry.rule().kind()));
        result.put("level", level);
        result.putObject("message").put("text", Printable.of(name + ": " + message));
        ObjectNode location = result.putArray("locations").addObject();
        ObjectNode physical = location.putObject("physicalLocation");
        physical.putObject("artifactLocation").put("uri", uri(entry));
        physical.putObject("region")
                .put("startLine", 1)
                .put("startColumn", 1)
                .put("endLine", 1)
                .put("endColumn", 1);
        ObjectNode logical = location.putArray("logicalLocations").addObject();
        logical.put("name", Printable.of(entry.pod()));
        logical.put("fullyQualifiedName", name);
        logical.put("kind", "resource");
        String fingerprint = fingerprint(entry);
        result.putObject("partialFingerprints")
                .put("primaryLocationLineHash", fingerprint + ":1")
                .put("podAndRule/v1", fingerprint);
        result.putObject("properties")
                .put("node", Printable.of(entry.node()))
                .put("ruleIdentity", entry.rule().identity());
    }

    /** {@return the file that was read; without one, the path of the pod in the API, relative as GitHub wants it} */
    private String uri(CheckReport.OfPod entry) {
        if (report.source().isEmpty()) {
            return "namespaces/" + encoded(entry.namespace()) + "/pods/" + encoded(entry.pod());
        }
        String path = Arrays.stream(report.source().replace('\\', '/').split("/", -1))
                .map(SarifReport::encoded)
                .collect(Collectors.joining("/"));
        return report.source().startsWith("/") ? "file://" + path : path;
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, UTF_8).replace("+", "%20");
    }

    /** {@return what stays the same as long as the pod lives and the rule does not change} */
    private static String fingerprint(CheckReport.OfPod entry) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((entry.uid() + "/" + entry.rule().identity()).getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

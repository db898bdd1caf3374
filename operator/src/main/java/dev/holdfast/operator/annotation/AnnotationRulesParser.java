package dev.holdfast.operator.annotation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.operator.translate.RuleReader;
import dev.holdfast.operator.translate.SpecProblem;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Parses the rules in the annotation {@value AnnotationRules#ANNOTATION} of a pod. Everything that the CRD of a policy
 * would refuse is refused, and so are unknown fields: a rule that is read in part is another rule.
 *
 * <p>Example: {@code {"apiVersion": "holdfast.dev/v1alpha1", "rules": [{"name": "ssd", "nodeAffinity": {"required":
 * {"nodeSelectorTerms": [{"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}]}}}]}}.
 */
public final class AnnotationRulesParser {
    private static final String API_VERSION = "holdfast.dev/v1alpha1";

    /** The maximum number of rules in an annotation, as in the schema of a policy. */
    private static final int MOST_RULES = 20;

    /** The maximum number of problems in a message. Users mend a few at a time, and an event has little room. */
    private static final int MOST_PROBLEMS = 3;

    private static final Set<String> OF_POLICY = Set.of(
            "mode",
            "forgivenessSeconds",
            "whenInfeasible",
            "infeasibleEvictAfterSeconds",
            "whenDomainAdded",
            "victim",
            "when");

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    /** Writes all fields of a record, so that only unknown fields are missing in the output. */
    private static final JsonMapper WITH_ABSENT_FIELDS = JsonMapper.builder()
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
                    return JsonInclude.Value.empty();
                }
            })
            .build();

    private final List<SpecProblem> problems = new ArrayList<>();

    private final AnnotationRules.Text text;

    private AnnotationRulesParser(AnnotationRules.Text text) {
        this.text = text;
    }

    /** {@return the rules in the text; {@code Refused} with what is wrong, if anything is} */
    public static AnnotationRules parse(String text) {
        try {
            return read(text);
        } catch (RuntimeException e) {
            // Tenants write the text. It must not stop the feed of all pods, whatever this code does wrong.
            return new AnnotationRules.Refused(
                    "Holdfast cannot read it, which is a bug of Holdfast: " + QuotedText.of(e.toString()));
        }
    }

    private static AnnotationRules read(String text) {
        JsonNode written;
        try {
            written = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return new AnnotationRules.Refused("it must be JSON, got " + syntax(e));
        }
        return written.isObject()
                ? new AnnotationRulesParser(
                                text.indexOf('\\') < 0 ? AnnotationRules.Text.PLAIN : AnnotationRules.Text.WITH_ESCAPES)
                        .read(written)
                : new AnnotationRules.Refused("it must be a JSON object with `apiVersion` and `rules`");
    }

    private AnnotationRules read(JsonNode written) {
        JsonNode apiVersion = written.path("apiVersion");
        if (!apiVersion.asText().equals(API_VERSION)) {
            // The fields of another version may mean something else.
            return new AnnotationRules.Refused("apiVersion: must be '" + API_VERSION + "'"
                    + (apiVersion.isMissingNode() ? "" : ", got '" + QuotedText.of(apiVersion.asText()) + "'"));
        }
        if (written.path("rules").size() > MOST_RULES) {
            return new AnnotationRules.Refused("rules: must have at most " + MOST_RULES + " items, got "
                    + written.path("rules").size());
        }
        NullValues.of(written).ifPresent(path -> refuse(path, "must not be null"));
        if (!problems.isEmpty()) {
            return refused();
        }
        try {
            return read(written, MAPPER.treeToValue(written, RulesDocument.class));
        } catch (JsonProcessingException e) {
            return new AnnotationRules.Refused(
                    path(e) + " has a value of a wrong type, as in docs/policy-reference.md");
        }
    }

    private AnnotationRules read(JsonNode written, RulesDocument document) {
        unknown("", document.unknownFields().keySet());
        List<RulesDocument.WrittenRule> rules = document.rules();
        boolean replaces = Boolean.TRUE.equals(document.replace());
        if (rules == null || (rules.isEmpty() && !replaces)) {
            refuse("rules", "must have at least one rule; only with \"replace\": true it may be []");
            return refused();
        }
        for (int i = 0; i < rules.size(); i++) {
            unknown("rules[" + i + "].", rules.get(i).unknownFields().keySet());
        }
        List<SpecProblem> beyondLimits = SchemaLimits.problems(document);
        problems.addAll(beyondLimits);
        if (!beyondLimits.isEmpty()) {
            // To look into a list of thousands would keep the thread that reads all pods.
            return refused();
        }
        RuleReader.Reading reading = RuleReader.ofPod(
                rules.stream().map(RulesDocument.WrittenRule::ofPolicy).toList());
        problems.addAll(reading.problems());
        if (problems.isEmpty()) {
            problems.addAll(UnreadParts.of(written, WITH_ABSENT_FIELDS.valueToTree(document)));
        }
        return problems.isEmpty()
                ? new AnnotationRules.Given(
                        replaces ? AnnotationRules.Standing.REPLACING : AnnotationRules.Standing.ADDED,
                        text,
                        reading.rules().stream()
                                .map(AnnotationRulesParser::named)
                                .toList())
                : refused();
    }

    private void unknown(String path, Set<String> names) {
        names.stream()
                .sorted()
                .forEach(name -> refuse(
                        path + QuotedText.of(name),
                        OF_POLICY.contains(name)
                                ? "must be left out: the policy that allows these rules says it"
                                : "is not known to this version of Holdfast"));
    }

    private void refuse(String path, String allowed) {
        problems.add(new SpecProblem(path, allowed));
    }

    private AnnotationRules refused() {
        int more = problems.size() - MOST_PROBLEMS;
        return new AnnotationRules.Refused(problems.stream()
                        .limit(MOST_PROBLEMS)
                        .map(SpecProblem::toString)
                        .collect(Collectors.joining("; "))
                + (more > 0 ? "; and " + more + " more" : ""));
    }

    private static AnnotationRules.NamedRule named(Policy.NamedRule rule) {
        return new AnnotationRules.NamedRule(rule.name(), content(rule.rule()));
    }

    private static AnnotationRules.Content content(Rule rule) {
        return switch (rule) {
            case Rule.NodeAffinity nodes ->
                new AnnotationRules.OnNodes(nodes.required().orElseThrow());
            case Rule.PodAffinity near -> new AnnotationRules.Near(near.terms().getFirst());
            case Rule.PodAntiAffinity apart -> new AnnotationRules.ApartFrom(apart.term());
            case Rule.TopologySpread spread -> new AnnotationRules.Spread(spread.constraint());
        };
    }

    /** {@return the names down to the field: {@code rules[0].podAffinityTerm.topologyKey}} */
    private static String path(JsonProcessingException wrong) {
        StringBuilder path = new StringBuilder();
        List<JsonMappingException.Reference> steps =
                wrong instanceof JsonMappingException mapping ? mapping.getPath() : List.of();
        for (JsonMappingException.Reference step : steps) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(QuotedText.of(step.getFieldName()));
            }
        }
        return path.isEmpty() ? "it" : path.toString();
    }

    private static String syntax(JacksonException wrong) {
        JsonLocation at = wrong.getLocation();
        return "'" + QuotedText.of(wrong.getOriginalMessage()) + "'"
                + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr());
    }
}

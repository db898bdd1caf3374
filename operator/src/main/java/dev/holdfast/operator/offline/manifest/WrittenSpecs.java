package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.DumpException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates the specs of workloads and disruption budgets as the API server does, as far as their fields are read.
 * Source: {@code validation.go} of apps and policy in kubernetes/pkg/apis.
 *
 * <p>Example: {@code Deployment shop/web is invalid: spec.selector: Invalid value: field is immutable}.
 */
final class WrittenSpecs {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final Pattern PERCENTAGE = Pattern.compile("[0-9]{1,3}%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final String MAX_SURGE = "spec.strategy.rollingUpdate.maxSurge";
    private static final String MAX_UNAVAILABLE = "spec.strategy.rollingUpdate.maxUnavailable";
    private static final String SELECTOR = "spec.selector";
    private static final String POD_MANAGEMENT = "spec.podManagementPolicy";

    /** The fields of a StatefulSet that stay as they are, of those that are read. */
    private static final List<String> FIXED =
            List.of(SELECTOR, "spec.serviceName", POD_MANAGEMENT, "spec.volumeClaimTemplates");

    private WrittenSpecs() {}

    /**
     * Validates an object as it is written.
     *
     * @throws DumpException if the API server would refuse it; the message is like that of the API server
     */
    static void require(ObjectNode object) throws DumpException {
        switch (object.path("kind").asText()) {
            case "Deployment" -> {
                requireSelected(object);
                requireStrategy(object);
            }
            case "ReplicaSet" -> requireSelected(object);
            case "StatefulSet" -> {
                requireSelected(object);
                requireUpdateStrategy(object);
            }
            case "PodDisruptionBudget" -> requireLimits(object);
            default -> {}
        }
    }

    private static void requireSelected(ObjectNode workload) throws DumpException {
        if (!isPartOf(workload.at("/spec/selector/matchLabels"), workload.at("/spec/template/metadata/labels"))) {
            throw refused(
                    workload, "spec.template.metadata.labels", "Invalid value: `selector` does not match `labels`");
        }
    }

    private static void requireStrategy(ObjectNode deployment) throws DumpException {
        requireOneOf(deployment, "spec.strategy.type", List.of("Recreate", "RollingUpdate"));
        requireShare(deployment, MAX_SURGE);
        requirePart(deployment, MAX_UNAVAILABLE);
        boolean recreate = value(deployment, "spec.strategy.type").asText().equals("Recreate");
        if (recreate && !value(deployment, "spec.strategy.rollingUpdate").isMissingNode()) {
            throw refused(
                    deployment,
                    "spec.strategy.rollingUpdate",
                    "Forbidden: may not be specified when strategy `type` is 'Recreate'");
        }
        if (isZero(value(deployment, MAX_SURGE)) && isZero(value(deployment, MAX_UNAVAILABLE))) {
            throw refused(deployment, MAX_UNAVAILABLE, "Invalid value: 0: may not be 0 when `maxSurge` is 0");
        }
    }

    private static boolean isZero(JsonNode share) {
        return share.asText().matches("0+%?");
    }

    private static void requireUpdateStrategy(ObjectNode set) throws DumpException {
        requireOneOf(set, "spec.updateStrategy.type", List.of("OnDelete", "RollingUpdate"));
        requireOneOf(set, POD_MANAGEMENT, List.of("OrderedReady", "Parallel"));
        String field = "spec.updateStrategy.rollingUpdate.partition";
        JsonNode partition = value(set, field);
        if (!partition.isMissingNode() && !partition.asText().matches("[0-9]{1,9}")) {
            throw refused(set, field, "Invalid value: " + partition.asText() + ": must be greater than or equal to 0");
        }
    }

    private static void requireLimits(ObjectNode budget) throws DumpException {
        requirePart(budget, "spec.minAvailable");
        requirePart(budget, "spec.maxUnavailable");
        if (!value(budget, "spec.minAvailable").isMissingNode()
                && !value(budget, "spec.maxUnavailable").isMissingNode()) {
            throw refused(budget, "spec", "Invalid value: minAvailable and maxUnavailable cannot be both set");
        }
    }

    private static void requireOneOf(ObjectNode object, String field, List<String> words) throws DumpException {
        JsonNode value = value(object, field);
        if (!value.isMissingNode() && !words.contains(value.asText())) {
            throw refused(
                    object,
                    field,
                    "Unsupported value: " + value.asText() + ": supported values: " + String.join(", ", words));
        }
    }

    private static void requireShare(ObjectNode object, String field) throws DumpException {
        JsonNode value = value(object, field);
        Pattern form = value.isNumber() ? NUMBER : PERCENTAGE;
        if (!value.isMissingNode() && !form.matcher(value.asText()).matches()) {
            throw refused(object, field, "Invalid value: " + value.asText() + ": must be a number or a percentage");
        }
    }

    private static void requirePart(ObjectNode object, String field) throws DumpException {
        requireShare(object, field);
        String value = value(object, field).asText();
        if (value.endsWith("%") && share(value).compareTo(HUNDRED) > 0) {
            throw refused(object, field, "Invalid value: " + value + ": must not be greater than 100%");
        }
    }

    /**
     * Validates an object that is written again. Fields that the new object leaves out stay as they are.
     *
     * @throws DumpException if an immutable field changes; the message is like that of the API server
     */
    static void requireUpdate(ObjectNode before, ObjectNode written) throws DumpException {
        if (written.path("kind").asText().equals("StatefulSet")) {
            for (String field : FIXED) {
                if (isChanged(field, before, written)) {
                    throw refused(
                            written,
                            "spec",
                            "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals',"
                                + " 'template', 'updateStrategy', 'revisionHistoryLimit',"
                                + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden, and "
                                    + field + " is another one");
                }
            }
        } else if (isChanged(SELECTOR, before, written)) {
            throw refused(written, SELECTOR, "Invalid value: field is immutable");
        }
    }

    private static boolean isChanged(String field, ObjectNode before, ObjectNode written) {
        JsonNode old = value(before, field);
        JsonNode now = value(written, field);
        if (now.isMissingNode()) {
            return false;
        }
        return switch (field) {
            case SELECTOR -> !isPartOf(now, old) || !isPartOf(old, now);
            case POD_MANAGEMENT -> !now.asText().equals(old.asText("OrderedReady"));
            // The API server adds fields to the templates of claims.
            default -> !isPartOf(now, old);
        };
    }

    /** Keeps the immutable fields of an object that is written again: a manifest may say less of them. */
    static void completeUpdate(ObjectNode before, ObjectNode written) {
        for (String field : FIXED) {
            JsonNode old = value(before, field);
            if (!old.isMissingNode()) {
                written.withObjectProperty("spec").set(field.substring("spec.".length()), old.deepCopy());
            }
        }
    }

    /** {@return whether all that is written in one value is in the other too} */
    static boolean isPartOf(JsonNode part, JsonNode whole) {
        return switch (part) {
            case ObjectNode object ->
                object.properties().stream().allMatch(field -> isPartOf(field.getValue(), whole.path(field.getKey())));
            case ArrayNode array -> {
                boolean all = whole.isArray() && whole.size() == array.size();
                for (int i = 0; all && i < array.size(); i++) {
                    all = isPartOf(array.get(i), whole.get(i));
                }
                yield all;
            }
            case JsonNode value -> value.asText().equals(whole.asText());
        };
    }

    /** {@return the value of a field; missing if it is null, as for the API server} */
    private static JsonNode value(ObjectNode object, String field) {
        JsonNode value = object.at("/" + field.replace('.', '/'));
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    private static DumpException refused(ObjectNode object, String field, String problem) {
        return new DumpException(object.path("kind").asText() + " " + CreatedObjects.namespace(object) + "/"
                + CreatedObjects.name(object) + " is invalid: " + field + ": " + problem);
    }

    /** {@return a number of pods, which is written as such or as a percentage} Example: 25% of 10 pods is 2 or 3. */
    static int pods(JsonNode value, int pods, RoundingMode rounding) {
        String text = value.asText();
        return text.endsWith("%")
                ? share(text)
                        .multiply(BigDecimal.valueOf(pods))
                        .divide(HUNDRED, 0, rounding)
                        .intValue()
                : value.asInt();
    }

    private static BigDecimal share(String percentage) {
        return new BigDecimal(percentage.substring(0, percentage.length() - 1));
    }
}

package dev.holdfast.operator.cli.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.config.ComponentLabel;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.print.Count;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The ConfigMaps of operators in a cluster that was read.
 *
 * @param operatorNamespace the namespace that the user named; empty for all
 */
public record OperatorConfigMaps(Dump dump, Optional<String> operatorNamespace) {
    /** The maximum number of ignored objects that a message names. */
    private static final int MOST_NAMED = 3;

    /** {@return the ConfigMaps with a label, in the namespace that the user named, or else in all namespaces} */
    public List<ObjectNode> with(ComponentLabel label) {
        return dump.configMaps().stream()
                .filter(label::isOf)
                .filter(it ->
                        operatorNamespace.isEmpty() || operatorNamespace.get().equals(namespace(it)))
                .toList();
    }

    /** {@return why there are none, if the right to list them is missing} */
    public Optional<String> forbidden() {
        return dump.unreadable().stream()
                .filter(it -> it.path().contains("/configmaps?"))
                .map(UnreadableKind::message)
                .findFirst();
    }

    /**
     * {@return a sentence that names ConfigMaps that have the label of an operator, and are none of its own; empty if
     * there are none} Any user may set a label.
     */
    public static Optional<String> ignored(ComponentLabel label, List<ObjectNode> ignored, String why) {
        return ignored.isEmpty()
                ? Optional.empty()
                : Optional.of(Count.of(ignored.size(), "ConfigMap") + " with the label " + label + " " + why
                        + " ignored: "
                        + ignored.stream()
                                .limit(MOST_NAMED)
                                .map(it -> namespace(it) + "/"
                                        + it.at("/metadata/name").asText())
                                .collect(Collectors.joining(", "))
                        + (ignored.size() > MOST_NAMED ? ", ..." : ""));
    }

    /** {@return the namespace of an object} */
    public static String namespace(ObjectNode object) {
        return object.at("/metadata/namespace").asText();
    }
}

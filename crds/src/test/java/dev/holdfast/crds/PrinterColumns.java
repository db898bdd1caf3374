package dev.holdfast.crds;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinitionBuilder;
import java.util.List;

/**
 * The columns of {@code kubectl get}. Columns of priority 1 appear only with {@code -o wide}.
 *
 * <p>ASKED and a pause's REASON and NAMESPACES come from the spec, AGE from the metadata. All others come from the
 * status and stay empty while no operator runs. NEXT and UNTIL are times in the future. They are strings, because
 * kubectl shows a date as an age.
 */
final class PrinterColumns {
    static final List<CustomResourceColumnDefinition> OF_POLICIES = List.of(
            column("Mode", "string", ".status.effective.mode", 0, "Mode in effect"),
            column("Ready", "string", condition("Ready", "status"), 0, "Whether the policy is valid and evaluated"),
            column("Pods", "integer", ".status.pods.selected", 0, "Pods that the policy selects"),
            column("Violating", "integer", ".status.pods.violating", 0, "Pods with a broken rule"),
            column("Held", "integer", ".status.pods.held", 0, "Due pods that are held"),
            column("Hold", "string", ".status.holds[0].reason", 0, "Most frequent reason of the holds"),
            column("Next", "string", ".status.nextDeadlineTime", 0, "When the next violation becomes due"),
            column("Age", "date", ".metadata.creationTimestamp", 0, "Time since the policy was created"),
            column("Asked", "string", ".spec.mode", 1, "Mode in the spec"),
            column(
                    "Forgiveness",
                    "integer",
                    ".status.effective.forgivenessSeconds",
                    1,
                    "Seconds of forgiveness in effect"),
            column("Due", "integer", ".status.pods.due", 1, "Pods whose forgiveness has passed"),
            column("Compliant", "string", condition("Compliant", "status"), 1, "Whether no rule is broken"),
            column("Reason", "string", condition("Ready", "reason"), 1, "Why the policy is ready or not"),
            column("Holding", "string", condition("EnforcementHeld", "reason"), 1, "Why enforcement is held"));

    static final List<CustomResourceColumnDefinition> OF_PAUSES = List.of(
            column("Active", "string", condition("Active", "status"), 0, "Whether the pause stops evictions now"),
            column("State", "string", condition("Active", "reason"), 0, "Why the pause is active or not"),
            column("Until", "string", ".status.untilTime", 0, "When the pause ends or ended"),
            column("Reason", "string", ".spec.reason", 0, "Why evictions are paused"),
            column("Age", "date", ".metadata.creationTimestamp", 0, "Time since the pause was created"),
            column("Namespaces", "string", ".spec.namespaceSelector", 1, "Labels of its namespaces; none is all"),
            column("Ready", "string", condition("Ready", "status"), 1, "Whether the pause can be read"));

    private PrinterColumns() {}

    private static String condition(String type, String field) {
        return ".status.conditions[?(@.type==\"" + type + "\")]." + field;
    }

    private static CustomResourceColumnDefinition column(
            String name, String type, String path, int priority, String description) {
        return new CustomResourceColumnDefinitionBuilder()
                .withName(name)
                .withType(type)
                .withJsonPath(path)
                .withPriority(priority == 0 ? null : priority)
                .withDescription(description)
                .build();
    }
}

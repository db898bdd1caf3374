package dev.holdfast.crds;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinitionBuilder;
import java.util.List;

/**
 * What {@code kubectl get plpol} shows; the last group only with {@code -o wide}.
 *
 * <p>All but ASKED tell what is true rather than what is asked for, so a policy that no operator reads shows empty columns.
 * NEXT is a string because kubectl shows a date as an age, and this one lies ahead.
 */
final class PrinterColumns {
    static final List<CustomResourceColumnDefinition> ALL = List.of(
            column("Mode", "string", ".status.effective.mode", 0, "Mode in force"),
            column("Ready", "string", condition("Ready", "status"), 0, "Whether the policy is valid and evaluated"),
            column("Pods", "integer", ".status.pods.selected", 0, "Pods held to their rules"),
            column("Violating", "integer", ".status.pods.violating", 0, "Pods with a broken rule"),
            column("Held", "integer", ".status.pods.held", 0, "Pods due to be moved but held"),
            column("Next", "string", ".status.nextDeadlineTime", 0, "When the next violation becomes due"),
            column("Age", "date", ".metadata.creationTimestamp", 0, "Time since the policy was created"),
            column("Asked", "string", ".spec.mode", 1, "Mode the policy asks for"),
            column(
                    "Forgiveness",
                    "integer",
                    ".status.effective.forgivenessSeconds",
                    1,
                    "Seconds of forgiveness in force"),
            column("Due", "integer", ".status.pods.due", 1, "Pods whose forgiveness is over"),
            column("Compliant", "string", condition("Compliant", "status"), 1, "Whether no rule is broken"),
            column("Reason", "string", condition("Ready", "reason"), 1, "Why the policy is ready or not"),
            column("Holding", "string", condition("EnforcementHeld", "reason"), 1, "Why enforcement is held"));

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

package dev.holdfast.operator.offline.check;

import java.util.List;

/** What violations are grouped and sorted by: the values of {@code --group-by} and {@code --sort-by}. */
public enum ViolationColumn {
    NAMESPACE,
    /** Workloads of one name in two namespaces are two. */
    WORKLOAD,
    POD,
    RULE,
    CAUSE,
    NODE,
    ZONE;

    /** {@return the names of the columns of a table} */
    public List<String> names() {
        return switch (this) {
            case WORKLOAD, POD -> List.of(NAMESPACE.name(), name());
            case NAMESPACE, RULE, CAUSE, NODE, ZONE -> List.of(name());
        };
    }

    /** {@return what a violation has in these columns} */
    public List<String> of(CheckReport.Violation violation) {
        return switch (this) {
            case NAMESPACE -> List.of(violation.namespace());
            case WORKLOAD ->
                List.of(
                        violation.namespace(),
                        violation.workload().kind() + "/" + violation.workload().name());
            case POD -> List.of(violation.namespace(), violation.pod());
            case RULE -> List.of(violation.ruleText());
            case CAUSE -> List.of(violation.cause());
            case NODE -> List.of(violation.node());
            case ZONE -> List.of(violation.zone().isEmpty() ? "<none>" : violation.zone());
        };
    }
}

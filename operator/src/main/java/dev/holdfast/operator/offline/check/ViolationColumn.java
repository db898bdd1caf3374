package dev.holdfast.operator.offline.check;

import java.util.List;
import java.util.function.Function;

/** What violations are grouped and sorted by: the values of {@code --group-by} and {@code --sort-by}. */
public enum ViolationColumn {
    NAMESPACE(List.of("NAMESPACE"), it -> List.of(it.namespace())),
    /** Workloads of one name in two namespaces are two. */
    WORKLOAD(
            List.of("NAMESPACE", "WORKLOAD"),
            it -> List.of(
                    it.namespace(), it.workload().kind() + "/" + it.workload().name())),
    POD(List.of("NAMESPACE", "POD"), it -> List.of(it.namespace(), it.pod())),
    RULE(List.of("RULE"), it -> List.of(it.ruleText())),
    CAUSE(List.of("CAUSE"), it -> List.of(it.cause())),
    NODE(List.of("NODE"), it -> List.of(it.node())),
    ZONE(List.of("ZONE"), it -> List.of(it.zone().isEmpty() ? "<none>" : it.zone()));

    private final List<String> names;
    private final Function<CheckReport.Violation, List<String>> values;

    ViolationColumn(List<String> names, Function<CheckReport.Violation, List<String>> values) {
        this.names = names;
        this.values = values;
    }

    /** {@return the names of the columns of a table} */
    public List<String> names() {
        return names;
    }

    /** {@return what a violation has in these columns} */
    public List<String> of(CheckReport.Violation violation) {
        return values.apply(violation);
    }
}

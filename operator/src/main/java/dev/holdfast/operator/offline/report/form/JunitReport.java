package dev.holdfast.operator.offline.report.form;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.print.JunitXml;
import dev.holdfast.operator.offline.print.JunitXml.Case;
import dev.holdfast.operator.offline.print.JunitXml.Outcome;
import dev.holdfast.operator.offline.report.ClusterReport;
import java.util.ArrayList;
import java.util.List;

/**
 * The report as test results: a failed case for each violation, and a skipped one for each rule without a verdict.
 * Rules that hold are not listed. If there is nothing to list, one case passes, as CI servers take a file without cases
 * for a mistake.
 */
final class JunitReport {
    private JunitReport() {}

    static JunitXml of(ClusterReport report) {
        List<Case> cases = new ArrayList<>();
        report.violations().forEach(it -> cases.add(new Case(it.namespace(), name(it), failed(it))));
        report.undetermined()
                .forEach(it -> cases.add(new Case(
                        it.namespace(),
                        name(it),
                        new Outcome.Skipped("no verdict: " + it.message() + " (" + it.reason() + ")"))));
        if (cases.isEmpty()) {
            cases.add(new Case("holdfast", "all required placement rules hold", new Outcome.Passed()));
        }
        return new JunitXml(report.title(), cases);
    }

    /** {@return the name of a case, with the identity of the rule, because a pod may have two rules of one name} */
    private static String name(CheckReport.OfPod entry) {
        String identity = entry.rule().identity();
        return entry.pod() + ": " + entry.rule().name() + (identity.isEmpty() ? "" : " (" + identity + ")");
    }

    private static Outcome failed(CheckReport.Violation violation) {
        List<String> lines = new ArrayList<>();
        lines.add("node: " + violation.node());
        lines.add("rule: " + violation.ruleText());
        lines.add("heals: " + violation.heals());
        if (!violation.policies().isEmpty()) {
            lines.add("policies: " + String.join(", ", violation.policies()));
        }
        if (violation.killedByKubeletRestart()) {
            lines.add("a restart of the kubelet would reject the pod, because it checks node rules again");
        }
        return new Outcome.Failed(violation.breach(), String.join("\n", lines));
    }
}

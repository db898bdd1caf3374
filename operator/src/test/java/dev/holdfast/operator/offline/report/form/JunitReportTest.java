package dev.holdfast.operator.offline.report.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.report.Reports;
import org.junit.jupiter.api.Test;

class JunitReportTest {
    private static final String NODE = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n1}}
        ---
        """;

    private static String pod(String name, String node) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop}, spec: {nodeName: " + node
                + ", nodeSelector: {a: b}}}\n---\n";
    }

    private static String junit(String yaml) throws Exception {
        return String.join("\n", ReportOutput.JUNIT.lines(Reports.of(yaml), Reports.NO_MAP, "0.1.0"));
    }

    @Test
    void aViolationFailsAndARuleWithoutVerdictIsSkipped() throws Exception {
        assertThat(junit(NODE + pod("web", "n1") + pod("lost", "n2"))).isEqualTo("""
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="2" failures="1" errors="0" skipped="1">
              <testsuite name="Holdfast report" tests="2" failures="1" errors="0" skipped="1">
                <testcase classname="shop" name="web: NodeAffinity (IDENTITY)">
                  <failure message="n1 does not match a=b: it has no label a">
            node: n1
            rule: NodeAffinity
            heals: n1 matches a=b
            a restart of the kubelet would reject the pod, because it checks node rules again
                  </failure>
                </testcase>
                <testcase classname="shop" name="lost: NodeAffinity (IDENTITY)">
                  <skipped message="no verdict: no node n2 (NodeMissing)"/>
                </testcase>
              </testsuite>
            </testsuites>\
            """.replace("IDENTITY", identity()));
    }

    private static String identity() throws Exception {
        return Reports.of(NODE + pod("web", "n1"))
                .violations()
                .getFirst()
                .rule()
                .identity();
    }

    @Test
    void aCleanClusterIsOneCaseThatPasses() throws Exception {
        assertThat(junit(NODE))
                .contains("tests=\"1\" failures=\"0\"")
                .contains("<testcase classname=\"holdfast\" name=\"all required placement rules hold\"/>");
    }
}

package dev.holdfast.operator.offline.report.form;

import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.report.ClusterMap;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.page.HtmlPage;
import dev.holdfast.operator.offline.report.page.PageScript;
import java.util.List;

/** The forms in which a report is written: the values of {@code -o}. */
public enum ReportOutput {
    HTML {
        @Override
        public List<String> lines(ClusterReport report, ClusterMap map, String version) {
            return new HtmlPage(report, map, PageScript.ofProduct()).lines();
        }
    },
    MD {
        @Override
        public List<String> lines(ClusterReport report, ClusterMap map, String version) {
            return new MarkdownReport(report).lines();
        }
    },
    JSON {
        @Override
        public List<String> lines(ClusterReport report, ClusterMap map, String version) {
            return Documents.json(report);
        }
    },
    JUNIT {
        @Override
        public List<String> lines(ClusterReport report, ClusterMap map, String version) {
            return JunitReport.of(report).lines();
        }
    },
    SARIF {
        @Override
        public List<String> lines(ClusterReport report, ClusterMap map, String version) {
            return Documents.json(new SarifReport(report, version).document());
        }
    };

    /**
     * {@return how many pods are explained in this form; 0 where there is no place for explanations, which take most of
     * the time}
     *
     * @param limit how many the user wants
     */
    public int mostExplained(int limit) {
        return switch (this) {
            case HTML, JSON -> limit;
            case MD, JUNIT, SARIF -> 0;
        };
    }

    /** {@return whether this form shows what the failure of each zone would do} */
    public boolean showsZones() {
        return switch (this) {
            case HTML, MD, JSON -> true;
            case JUNIT, SARIF -> false;
        };
    }

    /**
     * {@return the report as lines}
     *
     * @param map where the pods of the report run, for the forms that draw it
     * @param version the version of Holdfast, for the forms that name the tool
     */
    public abstract List<String> lines(ClusterReport report, ClusterMap map, String version);
}

package dev.holdfast.operator.offline.report.form;

import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.report.ChangePicture;
import dev.holdfast.operator.offline.report.page.PageScript;
import dev.holdfast.operator.offline.report.page.WhatIfPage;
import dev.holdfast.operator.offline.whatif.WhatIfOutput;
import dev.holdfast.operator.offline.whatif.WhatIfReport;
import java.util.List;

/** The forms in which the consequences of a change are written: the values of {@code -o}. */
public enum WhatIfForm {
    TEXT,
    WIDE,
    JSON,
    YAML,
    HTML;

    /**
     * {@return the report as lines}
     *
     * @param picture the cluster before and after the change, for the form that draws it
     * @param change the command line that says what the change is
     * @param width the most characters of a line of text
     */
    public List<String> lines(WhatIfReport report, ChangePicture picture, List<String> change, LineWidth width) {
        return switch (this) {
            case TEXT -> WhatIfOutput.TEXT.lines(report, width);
            case WIDE -> WhatIfOutput.WIDE.lines(report, width);
            case JSON -> WhatIfOutput.JSON.lines(report, width);
            case YAML -> WhatIfOutput.YAML.lines(report, width);
            case HTML -> new WhatIfPage(report, picture, PageScript.ofProduct()).lines(String.join(" ", change));
        };
    }
}

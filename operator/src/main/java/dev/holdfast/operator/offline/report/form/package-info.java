/** The forms in which a report is written: HTML, Markdown, JSON, JUnit and SARIF. */
@NullMarked
package dev.holdfast.operator.offline.report.form;

import org.jspecify.annotations.NullMarked;

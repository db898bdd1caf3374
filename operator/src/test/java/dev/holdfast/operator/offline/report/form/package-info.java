/** Tests of the forms of a report. */
@NullMarked
package dev.holdfast.operator.offline.report.form;

import org.jspecify.annotations.NullMarked;

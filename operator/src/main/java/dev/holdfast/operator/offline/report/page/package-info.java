/** Writes a report as one HTML file, which loads nothing. */
@NullMarked
package dev.holdfast.operator.offline.report.page;

import org.jspecify.annotations.NullMarked;

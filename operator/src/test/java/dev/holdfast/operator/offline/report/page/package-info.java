/** Tests of the page of a report, also in a browser. */
@NullMarked
package dev.holdfast.operator.offline.report.page;

import org.jspecify.annotations.NullMarked;

/** Tests of the parts of HTML pages. */
@NullMarked
package dev.holdfast.operator.offline.report.html;

import org.jspecify.annotations.NullMarked;

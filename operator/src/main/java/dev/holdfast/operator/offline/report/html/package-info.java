/** Writes the parts of HTML pages: escaped text, the marks of states, and sections with tables. */
@NullMarked
package dev.holdfast.operator.offline.report.html;

import org.jspecify.annotations.NullMarked;

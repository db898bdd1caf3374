/** Writes the parts of HTML pages: escaped text, the marks of states, sections with tables, and time lines. */
@NullMarked
package dev.holdfast.operator.offline.report.html;

import org.jspecify.annotations.NullMarked;

/** Tests of reports that are drawn. */
@NullMarked
package dev.holdfast.operator.report;

import org.jspecify.annotations.NullMarked;

/** Tests of reports that are drawn. */
@NullMarked
package dev.holdfast.operator.offline.report;

import org.jspecify.annotations.NullMarked;

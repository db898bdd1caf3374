/** What a cluster makes of the chart. */
@NullMarked
package dev.holdfast.it.chart;

import org.jspecify.annotations.NullMarked;

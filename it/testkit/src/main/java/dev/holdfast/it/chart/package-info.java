/** The chart, installed by Helm on a running control plane. */
@NullMarked
package dev.holdfast.it.chart;

import org.jspecify.annotations.NullMarked;

/** The Helm chart of Holdfast, installed on a running control plane. */
@NullMarked
package dev.holdfast.it.chart;

import org.jspecify.annotations.NullMarked;

/** Tests of the chart: Helm renders it, and the result is read as Kubernetes objects. */
@NullMarked
package dev.holdfast.charts;

import org.jspecify.annotations.NullMarked;

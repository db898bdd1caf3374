/** The chart as Helm renders it, read back as Kubernetes objects. */
@NullMarked
package dev.holdfast.charts;

import org.jspecify.annotations.NullMarked;

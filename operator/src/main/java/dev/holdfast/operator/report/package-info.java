/** Draws a cluster at one moment: which workloads violate which rules in which topology domains. */
@NullMarked
package dev.holdfast.operator.report;

import org.jspecify.annotations.NullMarked;

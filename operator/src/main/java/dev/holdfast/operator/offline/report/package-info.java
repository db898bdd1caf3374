/** Draws a cluster at one moment: which workloads violate which rules in which topology domains. */
@NullMarked
package dev.holdfast.operator.offline.report;

import org.jspecify.annotations.NullMarked;

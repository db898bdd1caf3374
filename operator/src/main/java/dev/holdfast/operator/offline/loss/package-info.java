/** Which workloads lose Ready pods in a simulation, and what the failure of each zone would cost. */
@NullMarked
package dev.holdfast.operator.offline.loss;

import org.jspecify.annotations.NullMarked;

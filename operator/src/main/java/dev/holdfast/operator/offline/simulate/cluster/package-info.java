/** The cluster of a simulation, with its API server, scheduler and controllers. */
@NullMarked
package dev.holdfast.operator.offline.simulate.cluster;

import org.jspecify.annotations.NullMarked;

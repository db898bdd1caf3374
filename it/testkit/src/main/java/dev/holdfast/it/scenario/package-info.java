/** A stage for workloads on a running control plane, with nodes and a namespace of its own. */
@NullMarked
package dev.holdfast.it.scenario;

import org.jspecify.annotations.NullMarked;

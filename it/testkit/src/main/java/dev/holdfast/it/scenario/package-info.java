/** Test stages for workloads on a running control plane: a namespace with its own nodes. */
@NullMarked
package dev.holdfast.it.scenario;

import org.jspecify.annotations.NullMarked;

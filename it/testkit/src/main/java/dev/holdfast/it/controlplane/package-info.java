/**
 * A real Kubernetes control plane on this machine, without a container engine: built once, started in seconds, gone
 * with the JVM; and the audit trail that says afterwards who evicted what.
 */
@NullMarked
package dev.holdfast.it.controlplane;

import org.jspecify.annotations.NullMarked;

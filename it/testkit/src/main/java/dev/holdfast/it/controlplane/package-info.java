/**
 * A real Kubernetes control plane on this machine, without a container engine. The control plane is built once, starts
 * in seconds and ends with the JVM. The audit log shows which user evicted or deleted which pod.
 */
@NullMarked
package dev.holdfast.it.controlplane;

import org.jspecify.annotations.NullMarked;

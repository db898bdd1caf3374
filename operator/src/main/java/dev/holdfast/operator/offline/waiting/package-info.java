/** Which nodes the scheduler's filters accept for a pod, and why a pod waits for one. */
@NullMarked
package dev.holdfast.operator.offline.waiting;

import org.jspecify.annotations.NullMarked;

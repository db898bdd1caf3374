/** Tests of how {@link dev.holdfast.it.scenario.PodRemovals} reads the audit log. */
@NullMarked
package dev.holdfast.it.scenario;

import org.jspecify.annotations.NullMarked;

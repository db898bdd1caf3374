/**
 * Violation clocks and deadlines: since when each rule has been violated without interruption, why, and when it is due.
 */
@NullMarked
package dev.holdfast.policies.forgive;

import org.jspecify.annotations.NullMarked;

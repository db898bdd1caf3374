/**
 * Soft rules: what pods prefer, where it is unmet, and whether the scheduler would place a replacement better. Reads a
 * cluster at one moment; evicts nothing.
 */
@NullMarked
package dev.holdfast.policies.soft;

import org.jspecify.annotations.NullMarked;

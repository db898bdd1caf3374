/**
 * The steps of one eviction, from fresh reads to the outcome of the replacement. Also how long each step may take, and
 * when further moves are allowed after futile ones.
 */
@NullMarked
package dev.holdfast.policies.engine.eviction;

import org.jspecify.annotations.NullMarked;

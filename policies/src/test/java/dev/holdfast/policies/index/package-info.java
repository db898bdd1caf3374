/**
 * Tests of what the index reports for events, and comparisons with {@code evaluate} over random sequences of events.
 */
@NullMarked
package dev.holdfast.policies.index;

import org.jspecify.annotations.NullMarked;

/**
 * Queries that are answered from the counts: details of a violation, conflicting pods, and the impact of a hypothetical
 * move.
 */
@NullMarked
package dev.holdfast.policies.index.query;

import org.jspecify.annotations.NullMarked;

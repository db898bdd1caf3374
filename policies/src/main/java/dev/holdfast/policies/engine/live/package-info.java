/**
 * The cluster as the engine knows it: the incremental index with pod owners and disruption budgets, and evaluation
 * without the index.
 */
@NullMarked
package dev.holdfast.policies.engine.live;

import org.jspecify.annotations.NullMarked;

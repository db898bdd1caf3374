/** Facts of a cluster as its API server states them, and lookups over them; no judgement. */
@NullMarked
package dev.holdfast.policies.model;

import org.jspecify.annotations.NullMarked;

/** Proofs that a real API server takes the CRDs, and judges policies as their schema means it. */
@NullMarked
package dev.holdfast.it.crds;

import org.jspecify.annotations.NullMarked;

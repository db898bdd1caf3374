/** Proofs that the CRDs are what the records say, and obey the conventions of the Kubernetes API. */
@NullMarked
package dev.holdfast.crds;

import org.jspecify.annotations.NullMarked;

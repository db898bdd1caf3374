/** Tests that the CRDs match the records and follow the conventions of the Kubernetes API. */
@NullMarked
package dev.holdfast.crds;

import org.jspecify.annotations.NullMarked;

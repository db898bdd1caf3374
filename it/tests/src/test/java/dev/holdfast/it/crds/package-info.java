/** Tests of the CRDs on a real API server: it accepts them and validates policies as intended. */
@NullMarked
package dev.holdfast.it.crds;

import org.jspecify.annotations.NullMarked;

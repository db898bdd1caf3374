/** Tests of the operator's decoder on the bytes of a real API server. */
@NullMarked
package dev.holdfast.it.decode;

import org.jspecify.annotations.NullMarked;

/** Tests of the Helm chart on a real control plane. */
@NullMarked
package dev.holdfast.it.release;

import org.jspecify.annotations.NullMarked;

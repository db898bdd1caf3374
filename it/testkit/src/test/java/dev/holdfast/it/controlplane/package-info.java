/** Tests of the local control plane itself. */
@NullMarked
package dev.holdfast.it.controlplane;

import org.jspecify.annotations.NullMarked;

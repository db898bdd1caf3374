/** Tests of the local control plane itself, and the way by which other tests share one. */
@NullMarked
package dev.holdfast.it.controlplane;

import org.jspecify.annotations.NullMarked;

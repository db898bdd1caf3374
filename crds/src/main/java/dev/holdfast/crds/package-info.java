/** The public API of Holdfast: its CRDs, ready to be installed in a cluster. */
@NullMarked
package dev.holdfast.crds;

import org.jspecify.annotations.NullMarked;

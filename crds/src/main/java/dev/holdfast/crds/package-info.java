/** The public API of Holdfast: its CRDs as they are installed in a cluster. */
@NullMarked
package dev.holdfast.crds;

import org.jspecify.annotations.NullMarked;

/** The CRDs of Holdfast as YAML, ready to be installed in a cluster. */
@NullMarked
package dev.holdfast.crds;

import org.jspecify.annotations.NullMarked;

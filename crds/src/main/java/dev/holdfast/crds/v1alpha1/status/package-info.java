/** The status of policies and pauses; its size is bounded, independent of the size of the cluster. */
@NullMarked
package dev.holdfast.crds.v1alpha1.status;

import org.jspecify.annotations.NullMarked;

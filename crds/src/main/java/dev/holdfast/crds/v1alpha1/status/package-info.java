/** The status of policies and pauses. The lists are bounded, whatever the size of the cluster. */
@NullMarked
package dev.holdfast.crds.v1alpha1.status;

import org.jspecify.annotations.NullMarked;

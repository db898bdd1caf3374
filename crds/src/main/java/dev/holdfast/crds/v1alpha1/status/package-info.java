/** What the operator reports in a policy's status; bounded, whatever the size of the cluster. */
@NullMarked
package dev.holdfast.crds.v1alpha1.status;

import org.jspecify.annotations.NullMarked;

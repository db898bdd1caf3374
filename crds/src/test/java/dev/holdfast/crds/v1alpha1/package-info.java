/** Tests that a policy is read and written without loss. */
@NullMarked
package dev.holdfast.crds.v1alpha1;

import org.jspecify.annotations.NullMarked;

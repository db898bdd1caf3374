/** The enums of fields in the spec and the status of a policy. */
@NullMarked
package dev.holdfast.crds.v1alpha1.choice;

import org.jspecify.annotations.NullMarked;

/** The enumerated values of fields in specs and statuses of policies. */
@NullMarked
package dev.holdfast.crds.v1alpha1.choice;

import org.jspecify.annotations.NullMarked;

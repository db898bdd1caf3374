/** The enumerated values that fields of a policy may have, in its spec and in its status alike. */
@NullMarked
package dev.holdfast.crds.v1alpha1.choice;

import org.jspecify.annotations.NullMarked;

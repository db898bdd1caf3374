/** Rules that can do nothing in the cluster as it is, and why. */
@NullMarked
package dev.holdfast.policies.effect;

import org.jspecify.annotations.NullMarked;

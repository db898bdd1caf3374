/** Views of a cluster that show another view with more pods or fewer, without a copy. */
@NullMarked
package dev.holdfast.policies.model.view;

import org.jspecify.annotations.NullMarked;

/** Tests of the clocks. */
@NullMarked
package dev.holdfast.policies.forgive;

import org.jspecify.annotations.NullMarked;

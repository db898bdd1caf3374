/** Tests of the groups of pods that share a verdict. */
@NullMarked
package dev.holdfast.policies.index.count;

import org.jspecify.annotations.NullMarked;

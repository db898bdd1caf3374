/** Tests of which rules a lookup finds. */
@NullMarked
package dev.holdfast.policies.index.lookup;

import org.jspecify.annotations.NullMarked;

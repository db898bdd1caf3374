/** Who moves, and what keeps whom from it. */
@NullMarked
package dev.holdfast.policies.plan;

import org.jspecify.annotations.NullMarked;

/** Tests of moves and their scopes. */
@NullMarked
package dev.holdfast.policies.plan.move;

import org.jspecify.annotations.NullMarked;

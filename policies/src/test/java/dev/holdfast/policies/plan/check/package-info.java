/** One test per check: which candidates it holds, and what the hold says. */
@NullMarked
package dev.holdfast.policies.plan.check;

import org.jspecify.annotations.NullMarked;

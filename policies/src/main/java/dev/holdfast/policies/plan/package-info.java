/** From due violations to a plan: who moves now, and for everyone else the reason why not. */
@NullMarked
package dev.holdfast.policies.plan;

import org.jspecify.annotations.NullMarked;

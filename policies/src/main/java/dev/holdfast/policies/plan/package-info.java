/** The planner: decides for each due violation whether to evict a pod for it now, or gives the reason for a hold. */
@NullMarked
package dev.holdfast.policies.plan;

import org.jspecify.annotations.NullMarked;

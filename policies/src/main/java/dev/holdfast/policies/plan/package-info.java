/** The planner: decides for each due violation whether its pod moves now, or gives the reason for a hold. */
@NullMarked
package dev.holdfast.policies.plan;

import org.jspecify.annotations.NullMarked;

/** What is known of domains. */
@NullMarked
package dev.holdfast.policies.plan.situation;

import org.jspecify.annotations.NullMarked;

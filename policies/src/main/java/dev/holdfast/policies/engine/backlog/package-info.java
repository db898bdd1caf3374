/**
 * The backlogs: violating pods that an edit, the end of a pause or a start of the operator newly brings under a policy.
 * A user must acknowledge them before they are evicted.
 */
@NullMarked
package dev.holdfast.policies.engine.backlog;

import org.jspecify.annotations.NullMarked;

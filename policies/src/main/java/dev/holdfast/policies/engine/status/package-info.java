/** What the status of a policy says: counts of its violations, its oldest violations, and when to publish them. */
@NullMarked
package dev.holdfast.policies.engine.status;

import org.jspecify.annotations.NullMarked;

/** Creates and publishes the status of policies: the counts of violations, and the oldest violations. */
@NullMarked
package dev.holdfast.policies.engine.status;

import org.jspecify.annotations.NullMarked;

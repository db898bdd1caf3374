/** Leader election by a Lease, which is also checked right before each eviction. */
@NullMarked
package dev.holdfast.operator.lead;

import org.jspecify.annotations.NullMarked;

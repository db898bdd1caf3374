/** Leader election by a Lease, and the fence that checks the lease right before each eviction. */
@NullMarked
package dev.holdfast.operator.lead;

import org.jspecify.annotations.NullMarked;

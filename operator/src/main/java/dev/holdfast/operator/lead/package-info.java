/** Leader election by a Lease. Right before each eviction, the operator checks that this replica still leads. */
@NullMarked
package dev.holdfast.operator.lead;

import org.jspecify.annotations.NullMarked;

/** What the operator sees: the cluster as a feed of events, consistent reads of single objects, and the time. */
@NullMarked
package dev.holdfast.operator.observe;

import org.jspecify.annotations.NullMarked;

/** Where a replacement could run: the search for a node on which the pod keeps its rules and breaks no others. */
@NullMarked
package dev.holdfast.policies.plan.place;

import org.jspecify.annotations.NullMarked;

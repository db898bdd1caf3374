/** Finds the rules that may match pods with given labels, without a search through all rules. */
@NullMarked
package dev.holdfast.policies.index.lookup;

import org.jspecify.annotations.NullMarked;

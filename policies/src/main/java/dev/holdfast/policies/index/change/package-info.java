/** What changed and what it caused: the facts before and after an event, and the causes read from them. */
@NullMarked
package dev.holdfast.policies.index.change;

import org.jspecify.annotations.NullMarked;

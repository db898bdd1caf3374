/** The labels a rule depends on. */
@NullMarked
package dev.holdfast.policies.index.change;

import org.jspecify.annotations.NullMarked;

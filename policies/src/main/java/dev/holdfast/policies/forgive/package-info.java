/** Violation clocks: since when has a rule been broken without interruption? */
@NullMarked
package dev.holdfast.policies.forgive;

import org.jspecify.annotations.NullMarked;

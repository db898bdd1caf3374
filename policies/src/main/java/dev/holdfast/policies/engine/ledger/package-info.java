/**
 * The ledger: what one process of the operator leaves to the next. These records are its stored format too, so the name
 * of a component changes only together with the format.
 */
@NullMarked
package dev.holdfast.policies.engine.ledger;

import org.jspecify.annotations.NullMarked;

/**
 * The records of the ledger: what one process of the operator leaves to the next. The records are also the stored
 * format, so the name of a component changes only together with the format.
 */
@NullMarked
package dev.holdfast.policies.engine.protocol.ledger;

import org.jspecify.annotations.NullMarked;

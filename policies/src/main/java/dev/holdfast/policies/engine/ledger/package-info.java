/** Keeps the ledger of the engine: what is written into it and when, and how a new leader takes over its content. */
@NullMarked
package dev.holdfast.policies.engine.ledger;

import org.jspecify.annotations.NullMarked;

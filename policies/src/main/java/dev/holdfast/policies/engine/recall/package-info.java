/**
 * Memory across processes of the operator: what the engine remembers in the ledger, and how a new leader takes it over.
 */
@NullMarked
package dev.holdfast.policies.engine.recall;

import org.jspecify.annotations.NullMarked;

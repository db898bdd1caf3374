/**
 * Stores the engine's ledger in ConfigMaps of the operator's own namespace. The engine decides what and when; this
 * package reads, encodes and writes.
 */
@NullMarked
package dev.holdfast.operator.ledger;

import org.jspecify.annotations.NullMarked;

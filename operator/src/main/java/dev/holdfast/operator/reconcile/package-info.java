/** The policy kinds: what users write goes to the engine, and what the engine sees comes back as their status. */
@NullMarked
package dev.holdfast.operator.reconcile;

import org.jspecify.annotations.NullMarked;

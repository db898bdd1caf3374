/**
 * The engine's event loop, which carries out the actions that the engine requests, and the cap on the mode of all
 * policies.
 */
@NullMarked
package dev.holdfast.operator.loop;

import org.jspecify.annotations.NullMarked;

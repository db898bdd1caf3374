/** Translates policy and pause objects into the engine's types, or into all their errors at once. */
@NullMarked
package dev.holdfast.operator.translate;

import org.jspecify.annotations.NullMarked;

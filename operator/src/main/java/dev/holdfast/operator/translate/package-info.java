/** Translates policy and pause objects into the engine's types, and reports all errors of a spec at once. */
@NullMarked
package dev.holdfast.operator.translate;

import org.jspecify.annotations.NullMarked;

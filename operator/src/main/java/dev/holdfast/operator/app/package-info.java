/** The whole operator, made of its parts: what the commands start. */
@NullMarked
package dev.holdfast.operator.app;

import org.jspecify.annotations.NullMarked;

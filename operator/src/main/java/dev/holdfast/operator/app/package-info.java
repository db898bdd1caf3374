/** The operator as a whole: creates, connects, starts and closes its parts. */
@NullMarked
package dev.holdfast.operator.app;

import org.jspecify.annotations.NullMarked;

/** The script {@code ./holdfast} and the demo, as a user starts them. */
@NullMarked
package dev.holdfast.it.command;

import org.jspecify.annotations.NullMarked;

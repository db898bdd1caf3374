/** Tests of the script {@code ./holdfast} and of the demo. */
@NullMarked
package dev.holdfast.it.command;

import org.jspecify.annotations.NullMarked;

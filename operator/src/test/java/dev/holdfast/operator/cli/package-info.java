/** Tests of the commands. */
@NullMarked
package dev.holdfast.operator.cli;

import org.jspecify.annotations.NullMarked;

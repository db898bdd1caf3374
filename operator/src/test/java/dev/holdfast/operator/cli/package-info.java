/** Tests of the command line. */
@NullMarked
package dev.holdfast.operator.cli;

import org.jspecify.annotations.NullMarked;

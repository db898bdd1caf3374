/** The command line: the commands of {@code holdfast} with their options, and how they find a cluster. */
@NullMarked
package dev.holdfast.operator.cli;

import org.jspecify.annotations.NullMarked;

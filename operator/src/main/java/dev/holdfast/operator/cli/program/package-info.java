/** The commands about the program itself: its version, and the CRDs that it needs. */
@NullMarked
package dev.holdfast.operator.cli.program;

import org.jspecify.annotations.NullMarked;

/** Completes what a person types in a shell: scripts for shells, and the names of objects that they ask for. */
@NullMarked
package dev.holdfast.operator.cli.completion;

import org.jspecify.annotations.NullMarked;

/** Options whose arguments have a syntax of their own: selections of pods, and changes of labels. */
@NullMarked
package dev.holdfast.operator.cli.options;

import org.jspecify.annotations.NullMarked;

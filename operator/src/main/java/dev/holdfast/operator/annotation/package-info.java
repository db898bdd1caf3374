/** Parses the rules in annotations of pods, as strictly as the API server parses the rules of policies. */
@NullMarked
package dev.holdfast.operator.annotation;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.holdfast.operator.annotation;

import org.jspecify.annotations.NullMarked;

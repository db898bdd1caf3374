/** Tests of the configuration file: defaults, values and errors. */
@NullMarked
package dev.holdfast.operator.config;

import org.jspecify.annotations.NullMarked;

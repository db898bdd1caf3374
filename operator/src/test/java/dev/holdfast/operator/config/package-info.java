/** The configuration file, from its defaults to all that can be wrong with it. */
@NullMarked
package dev.holdfast.operator.config;

import org.jspecify.annotations.NullMarked;

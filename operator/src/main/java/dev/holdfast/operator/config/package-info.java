/** The operator's configuration: one validated record, read from one YAML file. */
@NullMarked
package dev.holdfast.operator.config;

import org.jspecify.annotations.NullMarked;

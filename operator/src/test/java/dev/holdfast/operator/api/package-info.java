/** Tests of the API clients, of streamed reads and of error messages. */
@NullMarked
package dev.holdfast.operator.api;

import org.jspecify.annotations.NullMarked;

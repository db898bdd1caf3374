/** Access to the API server: clients, streamed and single reads, one-line error messages, and the operator's clock. */
@NullMarked
package dev.holdfast.operator.api;

import org.jspecify.annotations.NullMarked;

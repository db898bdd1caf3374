/**
 * Access to the API server: clients, streamed and single requests, their errors in one line, and the operator's clock.
 */
@NullMarked
package dev.holdfast.operator.api;

import org.jspecify.annotations.NullMarked;

/**
 * Access to the API server: clients, streamed responses, reads of single objects, one-line error messages, and the
 * operator's clock.
 */
@NullMarked
package dev.holdfast.operator.api;

import org.jspecify.annotations.NullMarked;

/** Tests of heads of requests, and of connections and their limits. */
@NullMarked
package dev.holdfast.operator.serve.http;

import org.jspecify.annotations.NullMarked;

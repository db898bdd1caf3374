/** HTTP requests over connections whose number, time and memory are bounded, whatever clients do. */
@NullMarked
package dev.holdfast.operator.serve.http;

import org.jspecify.annotations.NullMarked;

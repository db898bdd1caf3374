/** Tests of probes and metrics over HTTP. */
@NullMarked
package dev.holdfast.operator.serve;

import org.jspecify.annotations.NullMarked;

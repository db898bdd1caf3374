/** Tests of the rate limits for Kubernetes events and log lines. */
@NullMarked
package dev.holdfast.operator.publish.rate;

import org.jspecify.annotations.NullMarked;

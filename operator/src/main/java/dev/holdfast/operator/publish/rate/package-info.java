/** Rate limits for Kubernetes events and log lines, so that one tenant does not use up what others need. */
@NullMarked
package dev.holdfast.operator.publish.rate;

import org.jspecify.annotations.NullMarked;

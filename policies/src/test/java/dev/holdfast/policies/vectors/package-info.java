/** Test vectors with verdicts of the real kube-scheduler, and a reader for their objects. */
@NullMarked
package dev.holdfast.policies.vectors;

import org.jspecify.annotations.NullMarked;

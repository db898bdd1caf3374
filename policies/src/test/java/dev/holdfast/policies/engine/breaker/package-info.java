/** Tests of what breakers and backlogs remember and count. */
@NullMarked
package dev.holdfast.policies.engine.breaker;

import org.jspecify.annotations.NullMarked;

/** Tests of what breakers remember and count. */
@NullMarked
package dev.holdfast.policies.engine.breaker;

import org.jspecify.annotations.NullMarked;

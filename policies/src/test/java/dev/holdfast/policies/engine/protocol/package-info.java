/** Tests of the status of views. */
@NullMarked
package dev.holdfast.policies.engine.protocol;

import org.jspecify.annotations.NullMarked;

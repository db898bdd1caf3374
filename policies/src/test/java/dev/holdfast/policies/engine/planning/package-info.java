/** Tests of which violations a plan considers. */
@NullMarked
package dev.holdfast.policies.engine.planning;

import org.jspecify.annotations.NullMarked;

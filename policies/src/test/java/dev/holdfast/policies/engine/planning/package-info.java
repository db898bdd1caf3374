/** Which violations are planned, and when. */
@NullMarked
package dev.holdfast.policies.engine.planning;

import org.jspecify.annotations.NullMarked;

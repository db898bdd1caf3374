/** Tests of the values that the engine reports. */
@NullMarked
package dev.holdfast.policies.engine.report;

import org.jspecify.annotations.NullMarked;

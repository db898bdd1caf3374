/**
 * The reports of the index to its listener: which verdicts changed, the change of an object or policy that led to them,
 * and the cause of a violation.
 */
@NullMarked
package dev.holdfast.policies.index.change;

import org.jspecify.annotations.NullMarked;

/**
 * What the index reports: which verdicts changed, the change of an object or policy behind it, and the cause read from
 * that.
 */
@NullMarked
package dev.holdfast.policies.index.change;

import org.jspecify.annotations.NullMarked;

/** Tests of the checks, one class each: which candidates a check holds, and the hold's message. */
@NullMarked
package dev.holdfast.policies.plan.check;

import org.jspecify.annotations.NullMarked;

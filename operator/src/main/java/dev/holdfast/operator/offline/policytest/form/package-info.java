/** The forms in which the results of policy tests are printed, and which failed tests make the exit code 1. */
@NullMarked
package dev.holdfast.operator.offline.policytest.form;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.holdfast.operator.policytest;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.holdfast.operator.offline.policytest;

import org.jspecify.annotations.NullMarked;

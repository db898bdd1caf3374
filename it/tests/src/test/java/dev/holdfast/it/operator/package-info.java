/** What becomes of broken rules, on a real control plane, as its audit log tells it. */
@NullMarked
package dev.holdfast.it.operator;

import org.jspecify.annotations.NullMarked;

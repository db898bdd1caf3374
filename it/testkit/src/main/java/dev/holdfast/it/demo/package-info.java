/**
 * The command {@code holdfast demo}: scenes on a local control plane, in each of which a rule breaks and the operator
 * reacts. All scenes run at the same time; the output describes them one after the other.
 */
@NullMarked
package dev.holdfast.it.demo;

import org.jspecify.annotations.NullMarked;

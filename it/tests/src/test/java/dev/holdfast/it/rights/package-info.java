/** Comparison of the rights that the chart grants with the requests of the operator. */
@NullMarked
package dev.holdfast.it.rights;

import org.jspecify.annotations.NullMarked;

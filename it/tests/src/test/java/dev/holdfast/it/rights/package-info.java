/** What the chart allows the operator, held against what the operator asks for. */
@NullMarked
package dev.holdfast.it.rights;

import org.jspecify.annotations.NullMarked;

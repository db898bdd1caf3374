/** Tests of the forms in which commands write. */
@NullMarked
package dev.holdfast.operator.offline.print;

import org.jspecify.annotations.NullMarked;

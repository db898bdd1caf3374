/** Tests of what is added to objects of files. */
@NullMarked
package dev.holdfast.operator.offline.dump.admission;

import org.jspecify.annotations.NullMarked;

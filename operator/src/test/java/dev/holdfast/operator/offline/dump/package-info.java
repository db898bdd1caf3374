/** Tests of what is read from dumps, whole and damaged. */
@NullMarked
package dev.holdfast.operator.offline.dump;

import org.jspecify.annotations.NullMarked;

/** What the tests read of the requirements of pods by another way than the decoders. */
@NullMarked
package dev.holdfast.operator.decode.requirements;

import org.jspecify.annotations.NullMarked;

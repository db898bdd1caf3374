/** Unpacks archives of dumps, splits their texts into tokens, and recognises text that is no object. */
@NullMarked
package dev.holdfast.operator.offline.dump.text;

import org.jspecify.annotations.NullMarked;

/** The containers of the index. */
@NullMarked
package dev.holdfast.policies.index.table;

import org.jspecify.annotations.NullMarked;

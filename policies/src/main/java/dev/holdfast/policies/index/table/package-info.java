/**
 * Containers that the index uses: hash tables whose elements know their own key, pools with reference counts, and an
 * inverted index.
 */
@NullMarked
package dev.holdfast.policies.index.table;

import org.jspecify.annotations.NullMarked;

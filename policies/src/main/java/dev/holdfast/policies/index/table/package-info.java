/**
 * Containers of the index: tables by a key that the element has, pools with reference counts, and an inverted index.
 */
@NullMarked
package dev.holdfast.policies.index.table;

import org.jspecify.annotations.NullMarked;

/** Tests of the containers that the index uses. */
@NullMarked
package dev.holdfast.policies.index.table;

import org.jspecify.annotations.NullMarked;

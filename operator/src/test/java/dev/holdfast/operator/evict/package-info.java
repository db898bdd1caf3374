/** Tests of evictions against a fake API server with recorded replies. */
@NullMarked
package dev.holdfast.operator.evict;

import org.jspecify.annotations.NullMarked;

/** What an API server writes, as bytes, and what becomes of it when it is whole and when it is not. */
@NullMarked
package dev.holdfast.operator.decode;

import org.jspecify.annotations.NullMarked;

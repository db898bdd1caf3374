/** Collections of very many elements that take less memory than those of the JDK: they have no object for an entry. */
@NullMarked
package dev.holdfast.policies.compact;

import org.jspecify.annotations.NullMarked;

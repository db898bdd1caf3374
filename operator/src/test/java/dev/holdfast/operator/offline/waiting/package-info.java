/** Tests of why pods wait for a node, and of what is asked to find that out. */
@NullMarked
package dev.holdfast.operator.offline.waiting;

import org.jspecify.annotations.NullMarked;

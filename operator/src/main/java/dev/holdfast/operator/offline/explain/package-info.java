/**
 * Explains a pod: which rules it is held to, whether they hold, which nodes would take it, and what was done about it.
 */
@NullMarked
package dev.holdfast.operator.offline.explain;

import org.jspecify.annotations.NullMarked;

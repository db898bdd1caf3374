/** The search for a node, compared with the real scheduler and API server. */
@NullMarked
package dev.holdfast.it.placement;

import org.jspecify.annotations.NullMarked;

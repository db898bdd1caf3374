/** Tests of the operator's parts, one at a time, on a real API server: feeds, evictor, leader election. */
@NullMarked
package dev.holdfast.it.shell;

import org.jspecify.annotations.NullMarked;

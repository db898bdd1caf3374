/** Tests of single parts of the operator on a real API server: watches, evictor, leader election. */
@NullMarked
package dev.holdfast.it.shell;

import org.jspecify.annotations.NullMarked;

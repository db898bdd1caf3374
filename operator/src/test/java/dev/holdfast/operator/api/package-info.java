/** How requests and their errors are read. */
@NullMarked
package dev.holdfast.operator.api;

import org.jspecify.annotations.NullMarked;

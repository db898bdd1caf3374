/** What a cluster makes of the chart. */
@NullMarked
package dev.holdfast.it.release;

import org.jspecify.annotations.NullMarked;

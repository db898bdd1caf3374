/** Tests under controlled schedules: a scheduler decides at each step which thread goes on. */
@NullMarked
package dev.holdfast.it.schedules;

import org.jspecify.annotations.NullMarked;

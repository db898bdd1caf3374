@NullMarked
package dev.holdfast.it.schedules;

import org.jspecify.annotations.NullMarked;

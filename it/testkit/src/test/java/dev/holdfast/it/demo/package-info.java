/** How the demo judges what it saw. */
@NullMarked
package dev.holdfast.it.demo;

import org.jspecify.annotations.NullMarked;

/** Tests of the demo's output and of its checks; no cluster runs here. */
@NullMarked
package dev.holdfast.it.demo;

import org.jspecify.annotations.NullMarked;

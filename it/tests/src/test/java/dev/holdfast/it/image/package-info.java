/** The image that the build makes without a container engine, unpacked and started without one. */
@NullMarked
package dev.holdfast.it.image;

import org.jspecify.annotations.NullMarked;

/** Tests of the operator's container image, unpacked and started without a container engine. */
@NullMarked
package dev.holdfast.it.image;

import org.jspecify.annotations.NullMarked;

/** Decodes what a pod requires of its node, such as resource requests and host ports, as far as Holdfast reads it. */
@NullMarked
package dev.holdfast.operator.decode.requirements;

import org.jspecify.annotations.NullMarked;

/** Tests of the causes that the index reports for violations. */
@NullMarked
package dev.holdfast.policies.index.change;

import org.jspecify.annotations.NullMarked;

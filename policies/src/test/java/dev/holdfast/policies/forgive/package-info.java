/** Tests of violation clocks and deadlines. */
@NullMarked
package dev.holdfast.policies.forgive;

import org.jspecify.annotations.NullMarked;

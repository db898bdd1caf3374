/** Tests of single classes that follow an eviction. */
@NullMarked
package dev.holdfast.policies.engine.eviction;

import org.jspecify.annotations.NullMarked;

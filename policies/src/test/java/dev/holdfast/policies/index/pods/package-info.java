/** Tests of how the index stores pods, their rules and their partners. */
@NullMarked
package dev.holdfast.policies.index.pods;

import org.jspecify.annotations.NullMarked;

/** Clusters written in the words of the field, for tests: one line a node, namespace or pod. */
@NullMarked
package dev.holdfast.policies.testing;

import org.jspecify.annotations.NullMarked;

/** Builders for test clusters in Kubernetes terms: one line for each node, namespace or pod. */
@NullMarked
package dev.holdfast.policies.testing;

import org.jspecify.annotations.NullMarked;

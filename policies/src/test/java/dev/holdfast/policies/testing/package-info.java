/** Builders for test clusters in Kubernetes terms: one call for each node, namespace or pod. */
@NullMarked
package dev.holdfast.policies.testing;

import org.jspecify.annotations.NullMarked;

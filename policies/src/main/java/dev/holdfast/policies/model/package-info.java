/** Cluster objects as the API server reports them, and read-only views of the whole cluster. */
@NullMarked
package dev.holdfast.policies.model;

import org.jspecify.annotations.NullMarked;

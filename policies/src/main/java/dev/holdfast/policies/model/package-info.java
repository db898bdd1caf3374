/** Cluster objects as the API server reports them, and views of the whole cluster. They decide nothing. */
@NullMarked
package dev.holdfast.policies.model;

import org.jspecify.annotations.NullMarked;

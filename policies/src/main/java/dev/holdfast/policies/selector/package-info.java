/** Label, node and namespace selectors: does this object match? Parsing and matching as the kube-scheduler does. */
@NullMarked
package dev.holdfast.policies.selector;

import org.jspecify.annotations.NullMarked;

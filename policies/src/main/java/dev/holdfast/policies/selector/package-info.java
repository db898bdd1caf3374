/** Label, node and namespace selectors and tolerations, parsed and matched as the kube-scheduler does. */
@NullMarked
package dev.holdfast.policies.selector;

import org.jspecify.annotations.NullMarked;

/**
 * Parsers and matchers for label selectors, node selectors and tolerations. The matchers decide as the kube-scheduler
 * does.
 */
@NullMarked
package dev.holdfast.policies.selector;

import org.jspecify.annotations.NullMarked;

/** What the API server adds to new pods for policies that inject their rules, and the outcome for each rule. */
@NullMarked
package dev.holdfast.policies.inject;

import org.jspecify.annotations.NullMarked;

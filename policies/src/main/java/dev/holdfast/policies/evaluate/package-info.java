/**
 * The specification of the rules, executable: one short evaluator a kind, brute force over a cluster view, to be read
 * beside the Kubernetes documentation of each rule.
 */
@NullMarked
package dev.holdfast.policies.evaluate;

import org.jspecify.annotations.NullMarked;

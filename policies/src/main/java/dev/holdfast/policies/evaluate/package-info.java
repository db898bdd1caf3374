/**
 * Reference evaluators: one for each kind of rule, which compute verdicts by brute force over a cluster view. They
 * are the executable specification of the rules; read them with the Kubernetes documentation of each rule.
 */
@NullMarked
package dev.holdfast.policies.evaluate;

import org.jspecify.annotations.NullMarked;

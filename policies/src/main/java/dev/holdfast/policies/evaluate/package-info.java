/**
 * Reference evaluators, one for each kind of rule. The evaluators compute verdicts from a cluster view without any
 * index. They are the executable specification of the rules; read them with the Kubernetes documentation of each rule.
 */
@NullMarked
package dev.holdfast.policies.evaluate;

import org.jspecify.annotations.NullMarked;

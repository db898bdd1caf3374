/**
 * Reference evaluators, one for each kind of rule. They compute verdicts from a cluster view without any index, and are
 * the executable specification of the rules; read them with the Kubernetes documentation of each rule.
 */
@NullMarked
package dev.holdfast.policies.evaluate;

import org.jspecify.annotations.NullMarked;

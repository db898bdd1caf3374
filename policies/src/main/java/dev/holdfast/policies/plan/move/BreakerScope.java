package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;
import java.util.Set;

/** The violations that a breaker holds while it is open. */
public sealed interface BreakerScope {
    /**
     * {@return whether the scope has the violations of pods of this namespace whose rule reads these node label keys}
     *
     * @param requesting the policy that requests the rule
     */
    boolean has(PolicyId requesting, String namespace, Set<String> nodeKeys);

    /** All violations. */
    record Everything() implements BreakerScope {
        @Override
        public boolean has(PolicyId requesting, String namespace, Set<String> nodeKeys) {
            return true;
        }
    }

    /** The violations of rules that read a node label. */
    record NodeLabel(String key) implements BreakerScope {
        @Override
        public boolean has(PolicyId requesting, String namespace, Set<String> nodeKeys) {
            return nodeKeys.contains(key);
        }
    }

    /** The violations of rules that read a node label, as far as policies of a namespace request these rules. */
    record NodeLabelForPolicies(String key, String ofNamespace) implements BreakerScope {
        @Override
        public boolean has(PolicyId requesting, String namespace, Set<String> nodeKeys) {
            return nodeKeys.contains(key)
                    && requesting.namespace().filter(ofNamespace::equals).isPresent();
        }
    }

    /** The violations of the pods of a namespace. */
    record OneNamespace(String name) implements BreakerScope {
        @Override
        public boolean has(PolicyId requesting, String namespace, Set<String> nodeKeys) {
            return namespace.equals(name);
        }
    }
}

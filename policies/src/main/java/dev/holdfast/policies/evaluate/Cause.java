package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;

/** The change that broke a rule, with names and values. */
public sealed interface Cause {
    /** {@return the cause as the end of "broken since": {@code label disk of node-12 changed ssd -> hdd}} */
    String describe();

    /** {@return a name for the kind of cause, the same for all values: for metrics and machine-readable output} */
    default String label() {
        return getClass().getSimpleName();
    }

    /** {@return whether something happened in the cluster; a policy edit or the operator's start is no such change} */
    default boolean isClusterChange() {
        return true;
    }

    /** It was broken when the operator first saw it. */
    record FoundAtStart() implements Cause {
        @Override
        public boolean isClusterChange() {
            return false;
        }

        @Override
        public String describe() {
            return "it was first seen";
        }
    }

    /** A policy asked for the rule. */
    record PolicyChanged(PolicyId policy) implements Cause {
        @Override
        public boolean isClusterChange() {
            return false;
        }

        @Override
        public String describe() {
            return "policy " + policy + " asked for it";
        }
    }

    /** The pod itself was bound where its rule does not hold. */
    record PodPlaced(String node) implements Cause {
        @Override
        public String describe() {
            return "the pod was bound to " + node;
        }
    }

    /** A label of the pod's own node. */
    record NodeLabelChanged(String node, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of node " + node);
        }
    }

    /** A label of the pod itself. */
    record PodLabelChanged(NamespacedName pod, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of the pod");
        }
    }

    /** The pod itself tolerates other taints, so that other nodes count. */
    record TolerationsChanged() implements Cause {
        @Override
        public String describe() {
            return "the pod's tolerations changed";
        }
    }

    /** A label of another pod. */
    record PartnerLabelChanged(NamespacedName partner, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of pod " + partner);
        }
    }

    /** A label of a namespace. */
    record NamespaceLabelChanged(String namespace, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of namespace " + namespace);
        }
    }

    /** Another pod was bound. */
    record PartnerCame(NamespacedName partner, String node) implements Cause {
        @Override
        public String describe() {
            return "pod " + partner + " came to " + node;
        }
    }

    /** Another pod finished, began to terminate or is gone. */
    record PartnerLeft(NamespacedName partner) implements Cause {
        @Override
        public String describe() {
            return "pod " + partner + " left";
        }
    }

    /** A node appeared. */
    record NodeCame(String node) implements Cause {
        @Override
        public String describe() {
            return "node " + node + " came";
        }
    }

    /** A node disappeared. */
    record NodeLeft(String node) implements Cause {
        @Override
        public String describe() {
            return "node " + node + " left";
        }
    }

    /** A taint was put on a node. */
    record TaintCame(String node, Taint taint) implements Cause {
        @Override
        public String describe() {
            return "taint " + taint + " came to node " + node;
        }
    }

    /** A taint was taken off a node. */
    record TaintLeft(String node, Taint taint) implements Cause {
        @Override
        public String describe() {
            return "taint " + taint + " left node " + node;
        }
    }

    /** Another node changed a label, and a domain with it. */
    record DomainChanged(String node, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of node " + node);
        }
    }

    /** A namespace appeared or disappeared. */
    record NamespaceChanged(String namespace) implements Cause {
        @Override
        public String describe() {
            return "namespace " + namespace + " came or left";
        }
    }

    /**
     * One label before and after.
     *
     * @param from absent when the label was added
     * @param to absent when the label was removed
     */
    record LabelChange(String key, Optional<String> from, Optional<String> to) {
        String describe(String whose) {
            if (from.isEmpty()) {
                return "label " + key + " " + whose + " was added as '" + to.orElse("") + "'";
            }
            return to.map(value -> "label " + key + " " + whose + " changed " + from.get() + " -> " + value)
                    .orElseGet(() -> "label " + key + " " + whose + " was removed");
        }
    }
}

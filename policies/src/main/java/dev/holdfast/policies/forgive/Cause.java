package dev.holdfast.policies.forgive;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;

/** The change that broke a rule, with names and values. */
public sealed interface Cause {
    /**
     * {@return the cause as text that can follow "broken since", for example {@code label disk of node node-12 changed
     * ssd -> hdd}}
     */
    String describe();

    /**
     * {@return the same cause without what readers in a namespace must not see: names and labels of other pods and
     * namespaces, and policies of other namespaces}
     */
    default Cause disclosedTo(String namespace) {
        return switch (this) {
            case PolicyChanged(PolicyId policy) ->
                policy.namespace().equals(Optional.of(namespace)) ? this : of("a policy requested the rule");
            case PodLabelChanged(NamespacedName pod, var _) ->
                pod.namespace().equals(namespace) ? this : of("a label of a pod of another namespace changed");
            case PartnerLabelChanged(NamespacedName partner, var _) ->
                partner.namespace().equals(namespace) ? this : of("a label of a pod of another namespace changed");
            case PartnerCame(NamespacedName partner, String node) ->
                partner.namespace().equals(namespace) ? this : of("a pod of another namespace was bound to " + node);
            case PartnerLeft(NamespacedName partner) ->
                partner.namespace().equals(namespace) ? this : of("a pod of another namespace left");
            case NamespaceLabelChanged(String changed, var _) ->
                changed.equals(namespace) ? this : of("a label of another namespace changed");
            case NamespaceChanged _ -> of("a namespace was created or deleted");
            case FoundAtStart _,
                    PodPlaced _,
                    NodeLabelChanged _,
                    TolerationsChanged _,
                    AnnotationRulesChanged _,
                    NodeCame _,
                    NodeLeft _,
                    TaintCame _,
                    TaintLeft _,
                    DomainChanged _,
                    Redacted _ -> this;
        };
    }

    private Cause of(String text) {
        return new Redacted(this, text);
    }

    /** {@return the kind of cause without names and values, for metrics and logs: {@code NodeLabelChanged}} */
    default String label() {
        return getClass().getSimpleName();
    }

    /** {@return whether a pod, node or namespace changed; false for a policy edit and for the operator's start} */
    default boolean isClusterChange() {
        return switch (this) {
            case FoundAtStart _, PolicyChanged _ -> false;
            case PodPlaced _,
                    NodeLabelChanged _,
                    PodLabelChanged _,
                    TolerationsChanged _,
                    AnnotationRulesChanged _,
                    PartnerLabelChanged _,
                    NamespaceLabelChanged _,
                    PartnerCame _,
                    PartnerLeft _,
                    NodeCame _,
                    NodeLeft _,
                    TaintCame _,
                    TaintLeft _,
                    DomainChanged _,
                    NamespaceChanged _ -> true;
            case Redacted(Cause full, var _) -> full.isClusterChange();
        };
    }

    /** A cause as readers in one namespace see it. */
    record Redacted(Cause full, String text) implements Cause {
        @Override
        public String describe() {
            return text;
        }

        @Override
        public String label() {
            return full.label();
        }
    }

    /** The rule was violated when the operator first evaluated it. */
    record FoundAtStart() implements Cause {
        @Override
        public String describe() {
            return "it was first seen";
        }
    }

    /** A new or edited policy requested the rule. */
    record PolicyChanged(PolicyId policy) implements Cause {
        @Override
        public String describe() {
            return "policy " + policy + " requested the rule";
        }
    }

    /** The rule owner was bound to a node where the rule does not hold. */
    record PodPlaced(String node) implements Cause {
        @Override
        public String describe() {
            return "the pod was bound to " + node;
        }
    }

    /** A label of the rule owner's node changed. */
    record NodeLabelChanged(String node, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of node " + node);
        }
    }

    /** A label of the rule owner changed. */
    record PodLabelChanged(NamespacedName pod, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of the pod");
        }
    }

    /** The tolerations of the rule owner changed, and with them the nodes that count for its spread constraint. */
    record TolerationsChanged() implements Cause {
        @Override
        public String describe() {
            return "the pod's tolerations changed";
        }
    }

    /** An edit of the rules in the rule owner's annotation added the rule, or brought back the rule of its spec. */
    record AnnotationRulesChanged() implements Cause {
        @Override
        public String describe() {
            return "the pod's annotation " + AnnotationRules.ANNOTATION + " changed";
        }
    }

    /** A label of a pod other than the rule owner changed. */
    record PartnerLabelChanged(NamespacedName partner, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of pod " + partner);
        }
    }

    /** A label of a namespace changed. */
    record NamespaceLabelChanged(String namespace, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of namespace " + namespace);
        }
    }

    /** A pod other than the rule owner was bound to a node. */
    record PartnerCame(NamespacedName partner, String node) implements Cause {
        @Override
        public String describe() {
            return "pod " + partner + " was bound to " + node;
        }
    }

    /** A pod other than the rule owner finished, started to terminate or was removed. */
    record PartnerLeft(NamespacedName partner) implements Cause {
        @Override
        public String describe() {
            return "pod " + partner + " left";
        }
    }

    /** A node was added to the cluster. */
    record NodeCame(String node) implements Cause {
        @Override
        public String describe() {
            return "node " + node + " was added";
        }
    }

    /** A node was removed from the cluster. */
    record NodeLeft(String node) implements Cause {
        @Override
        public String describe() {
            return "node " + node + " was removed";
        }
    }

    /** A taint was added to a node. */
    record TaintCame(String node, Taint taint) implements Cause {
        @Override
        public String describe() {
            return "taint " + taint + " was added to node " + node;
        }
    }

    /** A taint was removed from a node. */
    record TaintLeft(String node, Taint taint) implements Cause {
        @Override
        public String describe() {
            return "taint " + taint + " was removed from node " + node;
        }
    }

    /** A label of another node (not the rule owner's node) changed, so that a domain gained or lost that node. */
    record DomainChanged(String node, LabelChange change) implements Cause {
        @Override
        public String describe() {
            return change.describe("of node " + node);
        }
    }

    /** A namespace was created or deleted. */
    record NamespaceChanged(String namespace) implements Cause {
        @Override
        public String describe() {
            return "namespace " + namespace + " was created or deleted";
        }
    }

    /**
     * The value of one label before and after a change.
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

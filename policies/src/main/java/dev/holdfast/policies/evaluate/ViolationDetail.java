package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** How the present state of the cluster violates a rule. The change that broke the rule is a {@code Cause}. */
public sealed interface ViolationDetail {
    /** The largest number of partners that a message names. */
    int NAMED_PARTNERS = 5;

    /** {@return a text for messages: {@code node-12 does not match disk In [ssd]}} */
    String describe();

    /** {@return a text about a node that the pod is not on, without its name: {@code it has disk=hdd}} */
    default String ofCandidate() {
        return switch (this) {
            case NodeMismatch(String _, String _, String found) -> found;
            case UnmatchableRule(String _, String _, String why) -> "no node can match it: " + why;
            case NoTopologyKey(String _, String key) -> "it has no label " + key;
            case NoPartner partner -> partner.none();
            case Conflict conflict ->
                Domain.text(conflict.topologyKey(), conflict.domain()) + " has " + conflict.named(NAMED_PARTNERS);
            case Skew skew ->
                Domain.text(skew.topologyKey(), skew.domain()) + " would have " + (skew.others() + skew.self())
                        + " matching pods, " + skew.arithmetic();
        };
    }

    /**
     * {@return the pods that anti-affinity forbids in the rule owner's domain, but that run there, ordered by UID;
     * empty for other rules}
     */
    default List<Pod> partners() {
        return List.of();
    }

    /**
     * {@return the same detail without what readers in this namespace must not see: names of pods of other namespaces,
     * and taints of nodes that the pod is not on}
     */
    default ViolationDetail disclosedTo(String namespace) {
        return switch (this) {
            case Conflict conflict -> conflict.naming(namespace);
            case Skew(String key, String domain, int others, int self, LeastCount least, int maxSkew) ->
                new Skew(key, domain, others, self, least.disclosed(), maxSkew);
            case NodeMismatch _, UnmatchableRule _, NoTopologyKey _, NoPartner _ -> this;
        };
    }

    /**
     * The node's labels or name do not match the node affinity.
     *
     * @param found what the node has instead, as text that names no node: {@code it has disk=hdd}; empty if that is
     *     not known any more
     */
    record NodeMismatch(String node, String requirement, String found) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " does not match " + requirement + (found.isEmpty() ? "" : ": " + found);
        }
    }

    /**
     * The node affinity matches no node, whatever the labels of the nodes are.
     *
     * @param why as text: {@code 7.5 is no integer}
     */
    record UnmatchableRule(String node, String requirement, String why) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " does not match " + requirement + ", and no node can: " + why;
        }
    }

    /** The node lacks the topology key (AF-4, TS-3). */
    record NoTopologyKey(String node, String topologyKey) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " has no label " + topologyKey;
        }
    }

    /**
     * The node's domain contains no partner: no other pod that matches all affinity terms.
     *
     * @param terms the number of terms, all of which one pod must match (AF-1)
     * @param self 1 if the rule owner matches all terms itself, else 0; it is no partner of its own while another pod
     *     is one (AF-5)
     */
    record NoPartner(String topologyKey, String domain, int terms, int self, String requirement)
            implements ViolationDetail {
        /** Creates the detail of a rule owner that does not match its own terms. */
        public NoPartner(String topologyKey, String domain, int terms, String requirement) {
            this(topologyKey, domain, terms, 0, requirement);
        }

        @Override
        public String describe() {
            return none() + ": " + requirement;
        }

        private String none() {
            return (self == 0 ? "no pod in " : "no other pod in ") + Domain.text(topologyKey, domain) + " matches"
                    + all(terms);
        }

        private static String all(int terms) {
            return switch (terms) {
                case 0, 1 -> "";
                case 2 -> " both terms, as one pod must";
                default -> " all " + terms + " terms, as one pod must";
            };
        }
    }

    /**
     * The node's domain contains pods that the anti-affinity term matches.
     *
     * @param partners those pods, ordered by UID. An evaluator lists all of them, the index at most {@link
     *     #NAMED_PARTNERS}
     * @param count the number of all those pods, even if {@code partners} lists fewer
     * @param unnamed how many of those pods {@code partners} leaves out because they are of other namespaces
     */
    record Conflict(String topologyKey, String domain, List<Pod> partners, int count, int unnamed)
            implements ViolationDetail {
        public Conflict {
            partners = List.copyOf(partners);
        }

        /** Creates a conflict that leaves out no pod because of its namespace. */
        public Conflict(String topologyKey, String domain, List<Pod> partners, int count) {
            this(topologyKey, domain, partners, count, 0);
        }

        /** Creates a conflict from the complete list of conflicting pods, which also gives their number. */
        public Conflict(String topologyKey, String domain, List<Pod> partners) {
            this(topologyKey, domain, partners, partners.size());
        }

        private Conflict naming(String namespace) {
            List<Pod> own = partners.stream()
                    .filter(pod -> pod.namespace().equals(namespace))
                    .toList();
            return new Conflict(topologyKey, domain, own, count, partners.size() - own.size());
        }

        /**
         * {@return the conflicting pods as text: {@code shop/a, shop/b, 3 pods of other namespaces and 4 more}}
         *
         * @param most the largest number of pods that the text names
         */
        public String named(int most) {
            List<String> parts = new ArrayList<>(partners.stream()
                    .limit(most)
                    .map(pod -> pod.name().toString())
                    .toList());
            int more = count - parts.size() - unnamed;
            if (unnamed > 0) {
                parts.add(unnamed == 1 ? "a pod of another namespace" : unnamed + " pods of other namespaces");
            }
            return String.join(", ", parts) + (more > 0 ? " and " + more + " more" : "");
        }

        @Override
        public String describe() {
            return "it shares " + Domain.text(topologyKey, domain) + " with " + named(NAMED_PARTNERS);
        }
    }

    /**
     * The node's domain contains more matching pods than maxSkew allows.
     *
     * @param others the number of matching pods in the domain, without the rule owner
     * @param self 1 if the rule owner matches its own selector, else 0
     * @param least the number that the skew is measured from
     */
    record Skew(String topologyKey, String domain, int others, int self, LeastCount least, int maxSkew)
            implements ViolationDetail {
        @Override
        public String describe() {
            return Domain.text(topologyKey, domain) + " has " + (others + self) + " matching pods, " + arithmetic()
                    + least.advice();
        }

        private String arithmetic() {
            return least.describe() + ": skew " + (others + self - least.pods()) + ", allowed " + maxSkew;
        }
    }
}

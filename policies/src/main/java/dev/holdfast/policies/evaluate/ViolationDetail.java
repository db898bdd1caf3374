package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** How the present state of the cluster violates a rule. The change that broke the rule is a {@link Cause}. */
public sealed interface ViolationDetail {
    /** The largest number of partners that a message names. */
    int NAMED_PARTNERS = 5;

    /** {@return a text for messages: {@code node-12 does not match disk In [ssd]}} */
    String describe();

    /**
     * {@return the pods that anti-affinity forbids in the rule owner's domain, but that run there, ordered by UID;
     * empty for other rules}
     */
    default List<Pod> partners() {
        return List.of();
    }

    /**
     * {@return the same detail without the names of pods of other namespaces, which readers in this namespace must not
     * see}
     */
    default ViolationDetail disclosedTo(String namespace) {
        return switch (this) {
            case Conflict conflict -> conflict.naming(namespace);
            case NodeMismatch _, NoTopologyKey _, NoPartner _, Skew _ -> this;
        };
    }

    /** The node's labels or name do not match the node affinity. */
    record NodeMismatch(String node, String requirement) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " does not match " + requirement;
        }
    }

    /** The node lacks the topology key (AF-4, TS-3). */
    record NoTopologyKey(String node, String topologyKey) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " has no label " + topologyKey;
        }
    }

    /** The node's domain contains no partner: no other pod that matches all affinity terms. */
    record NoPartner(String topologyKey, String domain, String requirement) implements ViolationDetail {
        @Override
        public String describe() {
            return "no pod in " + topologyKey + "=" + domain + " matches: " + requirement;
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
            return "it shares " + topologyKey + "=" + domain + " with " + named(NAMED_PARTNERS);
        }
    }

    /**
     * The node's domain contains more matching pods than maxSkew allows.
     *
     * @param others the number of matching pods in the domain, without the rule owner
     * @param self 1 if the rule owner matches its own selector, else 0
     * @param least the smallest number of matching pods in any domain; 0 if there are fewer domains than minDomains
     */
    record Skew(String topologyKey, String domain, int others, int self, int least, int maxSkew)
            implements ViolationDetail {
        @Override
        public String describe() {
            return topologyKey + "=" + domain + " has " + (others + self) + " matching pods, the smallest domain has "
                    + least + ": skew " + (others + self - least) + ", allowed " + maxSkew;
        }
    }
}

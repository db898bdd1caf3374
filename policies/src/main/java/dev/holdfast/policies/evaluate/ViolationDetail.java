package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Pod;
import java.util.List;
import java.util.stream.Collectors;

/** How a rule is broken, read off the present state alone. What changed to break it is its {@link Cause}. */
public sealed interface ViolationDetail {
    /** How many partners a message names. */
    int NAMED_PARTNERS = 5;

    /** {@return the breach as part of a sentence: {@code node-12 does not match disk In [ssd]}} */
    String describe();

    /** {@return the other pods that break the rule by being there, by UID; empty for all but anti-affinity} */
    default List<Pod> partners() {
        return List.of();
    }

    /** The node's labels or name do not match. */
    record NodeMismatch(String node, String demanded) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " does not match " + demanded;
        }
    }

    /** The node lacks the label that makes domains (AF-4, TS-3). */
    record NoTopologyKey(String node, String topologyKey) implements ViolationDetail {
        @Override
        public String describe() {
            return node + " has no label " + topologyKey;
        }
    }

    /** No pod that the affinity terms match is in the node's domain. */
    record NoPartner(String topologyKey, String domain, String demanded) implements ViolationDetail {
        @Override
        public String describe() {
            return "no pod in " + topologyKey + "=" + domain + " matches: " + demanded;
        }
    }

    /**
     * Pods that the anti-affinity term matches are in the node's domain.
     *
     * @param partners all of them, by UID, as {@code evaluate} says it; a few of them where they are only to be named
     * @param count how many there are
     */
    record Conflict(String topologyKey, String domain, List<Pod> partners, int count) implements ViolationDetail {
        public Conflict {
            partners = List.copyOf(partners);
        }

        /** All partners. */
        public Conflict(String topologyKey, String domain, List<Pod> partners) {
            this(topologyKey, domain, partners, partners.size());
        }

        @Override
        public String describe() {
            String named = partners.stream()
                    .limit(NAMED_PARTNERS)
                    .map(pod -> pod.name().toString())
                    .collect(Collectors.joining(", "));
            int more = count - Math.min(partners.size(), NAMED_PARTNERS);
            return "it shares " + topologyKey + "=" + domain + " with " + named
                    + (more > 0 ? " and " + more + " more" : "");
        }
    }

    /**
     * The domain holds more matching pods than the skew allows.
     *
     * @param others matching pods in the domain, the rule owner left out
     * @param self 1 if the rule owner matches its own selector, else 0
     * @param least the fewest matching pods in any domain
     */
    record Skew(String topologyKey, String domain, int others, int self, int least, int maxSkew)
            implements ViolationDetail {
        @Override
        public String describe() {
            return topologyKey + "=" + domain + " holds " + (others + self) + " and the least domain " + least
                    + ": skew " + (others + self - least) + ", allowed " + maxSkew;
        }
    }
}

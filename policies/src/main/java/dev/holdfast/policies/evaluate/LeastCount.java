package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.QuotedText;

/** The number of matching pods from which the skew of a domain is measured, and where that number comes from. */
public sealed interface LeastCount {
    /** {@return the number} */
    int pods();

    /** {@return where the number comes from, as a clause that follows "has 3 matching pods, "} */
    String describe();

    /**
     * {@return the same number without what readers of a namespaced policy must not see: taints, and the domains that
     * are not counted}
     */
    default LeastCount disclosed() {
        return switch (this) {
            case OfDomain(String domain, int pods, String _) -> new OfDomain(domain, pods);
            case OfTooFewDomains(int domains, int minDomains, String _, boolean full) ->
                new OfTooFewDomains(domains, minDomains, "", full);
        };
    }

    /** {@return what keeps moves from healing a violation, as the end of a sentence; empty if nothing does} */
    default String advice() {
        return switch (this) {
            case OfDomain(String domain, int _, String keptOff) ->
                keptOff.isEmpty()
                        ? ""
                        : "; " + QuotedText.value(domain) + " counts, although the pod is kept off it by " + keptOff;
            case OfTooFewDomains(int _, int minDomains, String _, boolean full) ->
                full ? "; no move of the pod heals that with fewer than " + minDomains + " domains" : "";
        };
    }

    /**
     * The smallest number of matching pods in any domain.
     *
     * @param domain a domain with that number; of several, the first in natural order that the pod can use
     * @param keptOff what keeps the pod off all nodes of the domain, as text; empty if it can use one of them
     */
    record OfDomain(String domain, int pods, String keptOff) implements LeastCount {
        /** Creates the number of pods in a domain that the pod can use. */
        public OfDomain(String domain, int pods) {
            this(domain, pods, "");
        }

        @Override
        public String describe() {
            return "the smallest domain " + QuotedText.value(domain) + " has " + pods;
        }
    }

    /**
     * The number 0, because there are fewer domains than {@code minDomains} (TS-8).
     *
     * @param domains the number of domains with an eligible node
     * @param leftOut the domains without one and why, as text; empty if there are none
     * @param full whether the rule owner would violate the constraint in each of the domains
     */
    record OfTooFewDomains(int domains, int minDomains, String leftOut, boolean full) implements LeastCount {
        @Override
        public int pods() {
            return 0;
        }

        @Override
        public String describe() {
            return "the least counts as 0, because minDomains is " + minDomains + " and "
                    + (domains == 1 ? "there is 1 domain" : "there are " + domains + " domains")
                    + (leftOut.isEmpty() ? "" : ", without " + leftOut);
        }
    }
}

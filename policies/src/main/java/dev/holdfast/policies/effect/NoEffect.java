package dev.holdfast.policies.effect;

/**
 * Why a rule can do nothing in a cluster as it is.
 *
 * @param why a clause with names and values: {@code no node has the label rack, so it keeps no pods apart}
 */
public record NoEffect(Kind kind, String why) {
    /** The kinds of causes, in the order in which they are listed. */
    public enum Kind {
        /** No node has the topologyKey. */
        KEY_NOWHERE("has a topologyKey that no node has", "have a topologyKey that no node has"),
        /** All nodes that a spread constraint counts are in one domain. */
        ONE_DOMAIN("counts nodes of one domain only", "count nodes of one domain only"),
        /** The selector matches no pod now. */
        NO_POD("counts no pod", "count no pod"),
        /** A term matches no node or no pod, whatever their labels are. */
        UNMATCHABLE("has a term that nothing can match", "have a term that nothing can match");

        private final String one;
        private final String several;

        Kind(String one, String several) {
            this.one = one;
            this.several = several;
        }

        /** {@return what rules of this kind have in common, as a predicate of a sentence about this many rules} */
        public String predicate(int rules) {
            return rules == 1 ? one : several;
        }
    }
}

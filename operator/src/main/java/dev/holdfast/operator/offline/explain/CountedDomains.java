package dev.holdfast.operator.offline.explain;

import dev.holdfast.policies.evaluate.DomainCount;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.QuotedText;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How many pods a rule counts in its domains.
 *
 * @param count the number of domains
 * @param listed the pod's own domains, and then others, twelve at most: of a spread constraint those with the fewest
 *     pods, else those with the most
 */
public record CountedDomains(int count, List<CountedDomain> listed) {
    private static final int MOST_LISTED = 12;
    private static final int MOST_NAMED = 5;

    public CountedDomains {
        listed = List.copyOf(listed);
    }

    /**
     * A domain of a rule, and the pods that the rule counts there.
     *
     * @param ofPod whether the pod's node is in the domain
     * @param pods how many pods count: of a spread constraint with the pod itself, of other rules without it
     * @param names the first of these pods by name, five at most
     */
    public record CountedDomain(String topologyKey, String value, boolean ofPod, int pods, List<String> names) {
        public CountedDomain {
            names = List.copyOf(names);
        }

        static CountedDomain of(DomainCount count) {
            return new CountedDomain(
                    count.topologyKey(),
                    count.value(),
                    count.ofPod(),
                    count.pods(),
                    count.counted().stream()
                            .map(Pod::name)
                            .map(name -> name.namespace() + "/" + name.name())
                            .sorted()
                            .limit(MOST_NAMED)
                            .toList());
        }

        @Override
        public String toString() {
            String named = ofPod && !names.isEmpty()
                    ? ": " + String.join(", ", names)
                            + (pods > names.size() ? " and " + (pods - names.size()) + " more" : "")
                    : "";
            return QuotedText.value(value) + " has " + pods + (ofPod ? " (here" + named + ")" : "");
        }
    }

    static CountedDomains of(List<DomainCount> counts, boolean fewestFirst) {
        Comparator<DomainCount> byPods = Comparator.comparingInt(DomainCount::pods);
        return new CountedDomains(
                counts.size(),
                counts.stream()
                        .sorted(Comparator.comparing((DomainCount it) -> !it.ofPod())
                                .thenComparing(fewestFirst ? byPods : byPods.reversed())
                                .thenComparing(DomainCount::topologyKey)
                                .thenComparing(DomainCount::value))
                        .limit(MOST_LISTED)
                        .map(CountedDomain::of)
                        .toList());
    }

    /**
     * {@return the domains as text: {@code zone: b has 2 (here: shop/web-1, shop/web-2), a has 0}; empty without
     * domains}
     */
    public String describe() {
        String text = listed.stream()
                .collect(Collectors.groupingBy(
                        CountedDomain::topologyKey,
                        LinkedHashMap::new,
                        Collectors.mapping(CountedDomain::toString, Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(key -> key.getKey() + ": " + key.getValue())
                .collect(Collectors.joining("; "));
        return count > listed.size() ? text + " and " + (count - listed.size()) + " more domains" : text;
    }
}

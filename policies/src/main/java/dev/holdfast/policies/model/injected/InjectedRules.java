package dev.holdfast.policies.model.injected;

import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The API server's record, on a pod, of the rules that it injected into the pod's spec, in the order of injection. The
 * record says where each rule is in the spec, so that {@link #removedFrom} finds what the pod requires of its own.
 *
 * <p>Example: a pod has the node affinity {@code [zone In [a], arch In [arm64]]}, one term of two requirements. The
 * policy {@code web} injects its rule {@code ssd}. The record is {@code PlacementPolicy/web/ssd node:2.0:1.0}: there
 * was one term of two expressions and no field, and the rule added one expression to it.
 *
 * @param entries one for each rule, in the order in which they were injected
 */
public record InjectedRules(List<Entry> entries) {
    /** The key of the annotation that the record is in. */
    public static final String ANNOTATION = "holdfast.dev/injected-rules";

    /** A record with more characters is not read. Such a record has room for some 200 rules. */
    public static final int MOST_CHARACTERS = 20_000;

    private static final InjectedRules NONE = new InjectedRules(List.of());
    private static final String BETWEEN_ENTRIES = ", ";
    private static final TermSize NOTHING = new TermSize(0, 0);

    public InjectedRules {
        entries = List.copyOf(entries);
    }

    /**
     * One injected rule.
     *
     * @param rule kind and name of the policy, and name of the rule: {@code PlacementPolicy/web/ssd}
     */
    public record Entry(String rule, Place place) {
        /** {@return the entry as it is in the annotation: {@code PlacementPolicy/web/ssd node:2.0:1.0}} */
        public String text() {
            return rule + " " + place.text();
        }
    }

    /** Where in a pod's spec an injected rule is. */
    public sealed interface Place {
        /** {@return the place as it is in the annotation} */
        String text();

        /**
         * The place of a node rule: each of its alternatives was added to a copy of each term of node affinity.
         *
         * @param before the sizes of the terms before; absent if the pod had no required node affinity
         * @param added the sizes of the rule's alternatives
         */
        record NodeTerms(Optional<List<TermSize>> before, List<TermSize> added) implements Place {
            public NodeTerms {
                before = before.map(List::copyOf);
                added = List.copyOf(added);
            }

            @Override
            public String text() {
                return "node:" + before.map(NodeTerms::text).orElse("-") + ":" + text(added);
            }

            private static String text(List<TermSize> sizes) {
                return sizes.stream().map(TermSize::text).collect(Collectors.joining("+"));
            }
        }

        /** The only required term of pod affinity. */
        record PodAffinity() implements Place {
            @Override
            public String text() {
                return "affinity";
            }
        }

        /** The required term of pod anti-affinity with this index. */
        record PodAntiAffinity(int index) implements Place {
            @Override
            public String text() {
                return "antiAffinity:" + index;
            }
        }

        /** The hard topology spread constraint with this key. A pod has at most one. */
        record TopologySpread(String topologyKey) implements Place {
            @Override
            public String text() {
                return "spread:" + topologyKey;
            }
        }

        /** A place among the preferred terms, which require nothing. */
        record Preferred() implements Place {
            @Override
            public String text() {
                return "preferred";
            }
        }

        /** The soft topology spread constraint with this key, which requires nothing. A pod has at most one. */
        record PreferredSpread(String topologyKey) implements Place {
            @Override
            public String text() {
                return "preferredSpread:" + topologyKey;
            }
        }
    }

    /** How many requirements a node selector term has. */
    public record TermSize(int expressions, int fields) {
        /** {@return the size of the term} */
        public static TermSize of(NodeSelectorTerm term) {
            return new TermSize(
                    term.matchExpressions().size(), term.matchFields().size());
        }

        private boolean isEmpty() {
            return expressions == 0 && fields == 0;
        }

        private TermSize plus(TermSize other) {
            return new TermSize(expressions + other.expressions, fields + other.fields);
        }

        private String text() {
            return expressions + "." + fields;
        }
    }

    /** {@return the record of a pod without injected rules} */
    public static InjectedRules none() {
        return NONE;
    }

    /**
     * {@return the record in an annotation} Anyone who may write pods can write such a record. Invalid entries are left
     * out, so that the constraints count as the pod's own.
     */
    public static InjectedRules parse(String text) {
        if (text.isEmpty() || text.length() > MOST_CHARACTERS) {
            return NONE;
        }
        return new InjectedRules(Stream.of(text.split(BETWEEN_ENTRIES, -1))
                .flatMap(written -> entry(written).stream())
                .toList());
    }

    /** {@return the record as it is in the annotation; empty if no rule was injected} */
    public String text() {
        return entries.stream().map(Entry::text).collect(Collectors.joining(BETWEEN_ENTRIES));
    }

    /** {@return the constraints, with the information which of them are the pod's own} */
    public Scheduling in(Scheduling injected) {
        return injected.withOwn(removedFrom(injected));
    }

    /**
     * {@return what a pod requires of its own: its constraints without the injected rules} Preferred terms stay, since
     * Holdfast holds no pod to them.
     *
     * <p>A later change of the constraints may not fit the record. Then all constraints of that kind count as the pod's
     * own.
     */
    public Scheduling removedFrom(Scheduling injected) {
        return injected.withRules(
                ownNodeAffinity(injected.nodeAffinity()),
                ownPodAffinity(injected.podAffinity()),
                ownPodAntiAffinity(injected.podAntiAffinity()),
                ownTopologySpread(injected.topologySpread()));
    }

    private Optional<NodeSelector> ownNodeAffinity(Optional<NodeSelector> injected) {
        Optional<List<NodeSelectorTerm>> terms = injected.map(NodeSelector::terms);
        for (Place.NodeTerms place : places(Place.NodeTerms.class).toList().reversed()) {
            if (terms.isEmpty() || !fits(place, terms.get())) {
                return injected;
            }
            List<NodeSelectorTerm> after = terms.get();
            terms = place.before()
                    .map(before -> termsBefore(before, place.added().size(), after));
        }
        return terms.map(NodeSelector::new);
    }

    /**
     * {@return whether the terms have the sizes in the record} A hostile record may name millions of terms, so the
     * comparison ends with the first difference.
     */
    private static boolean fits(Place.NodeTerms place, List<NodeSelectorTerm> terms) {
        int next = 0;
        for (TermSize before : place.before().orElse(List.of(NOTHING))) {
            boolean isMultiplied = place.before().isEmpty() || !before.isEmpty();
            for (TermSize added : isMultiplied ? place.added() : List.of(NOTHING)) {
                if (next == terms.size() || !TermSize.of(terms.get(next)).equals(before.plus(added))) {
                    return false;
                }
                next++;
            }
        }
        return next == terms.size();
    }

    private static List<NodeSelectorTerm> termsBefore(
            List<TermSize> sizes, int alternatives, List<NodeSelectorTerm> after) {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        int next = 0;
        for (TermSize size : sizes) {
            NodeSelectorTerm term = after.get(next);
            terms.add(new NodeSelectorTerm(
                    term.matchExpressions().subList(0, size.expressions()),
                    term.matchFields().subList(0, size.fields())));
            next += size.isEmpty() ? 1 : alternatives;
        }
        return terms;
    }

    private List<PodAffinityTerm> ownPodAffinity(List<PodAffinityTerm> injected) {
        boolean onlyTerm = injected.size() == 1
                && places(Place.PodAffinity.class).findAny().isPresent();
        return onlyTerm ? List.of() : injected;
    }

    private List<PodAffinityTerm> ownPodAntiAffinity(List<PodAffinityTerm> injected) {
        Set<Integer> indexes = new HashSet<>();
        places(Place.PodAntiAffinity.class).forEach(place -> indexes.add(place.index()));
        boolean fits = indexes.stream().allMatch(index -> index < injected.size());
        return fits
                ? IntStream.range(0, injected.size())
                        .filter(index -> !indexes.contains(index))
                        .mapToObj(injected::get)
                        .toList()
                : injected;
    }

    private List<TopologySpreadConstraint> ownTopologySpread(List<TopologySpreadConstraint> injected) {
        Set<String> keys = places(Place.TopologySpread.class)
                .map(Place.TopologySpread::topologyKey)
                .collect(Collectors.toSet());
        return injected.stream()
                .filter(constraint -> !keys.contains(constraint.topologyKey()))
                .toList();
    }

    private <P extends Place> Stream<P> places(Class<P> kind) {
        return entries.stream().map(Entry::place).filter(kind::isInstance).map(kind::cast);
    }

    private static Optional<Entry> entry(String written) {
        String[] parts = written.split(" ", -1);
        return parts.length == 2 && !parts[0].isEmpty()
                ? place(parts[1]).map(place -> new Entry(parts[0], place))
                : Optional.empty();
    }

    private static Optional<Place> place(String written) {
        String[] parts = written.split(":", -1);
        if (parts.length == 3 && parts[0].equals("node")) {
            return nodeTerms(parts[1], parts[2]);
        }
        if (parts.length == 2 && parts[0].equals("antiAffinity")) {
            return number(parts[1]).map(Place.PodAntiAffinity::new);
        }
        if (parts.length == 2 && parts[0].equals("spread") && !parts[1].isEmpty()) {
            return Optional.of(new Place.TopologySpread(parts[1]));
        }
        if (parts.length == 2 && parts[0].equals("preferredSpread") && !parts[1].isEmpty()) {
            return Optional.of(new Place.PreferredSpread(parts[1]));
        }
        return switch (written) {
            case "affinity" -> Optional.of(new Place.PodAffinity());
            case "preferred" -> Optional.of(new Place.Preferred());
            default -> Optional.empty();
        };
    }

    private static Optional<Place> nodeTerms(String before, String added) {
        Optional<List<TermSize>> sizes = sizes(added);
        if (before.equals("-")) {
            return sizes.map(it -> new Place.NodeTerms(Optional.empty(), it));
        }
        Optional<List<TermSize>> sizesBefore = sizes(before);
        return sizesBefore.isEmpty() ? Optional.empty() : sizes.map(it -> new Place.NodeTerms(sizesBefore, it));
    }

    private static Optional<List<TermSize>> sizes(String written) {
        List<TermSize> sizes = new ArrayList<>();
        for (String size : written.split("\\+", -1)) {
            String[] numbers = size.split("\\.", -1);
            if (numbers.length != 2) {
                return Optional.empty();
            }
            Optional<Integer> expressions = number(numbers[0]);
            Optional<Integer> fields = number(numbers[1]);
            if (expressions.isEmpty() || fields.isEmpty()) {
                return Optional.empty();
            }
            sizes.add(new TermSize(expressions.get(), fields.get()));
        }
        return Optional.of(sizes);
    }

    private static Optional<Integer> number(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= 6
                && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber ? Optional.of(Integer.valueOf(digits)) : Optional.empty();
    }
}

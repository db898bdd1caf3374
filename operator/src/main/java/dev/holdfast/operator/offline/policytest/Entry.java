package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.waiting.Waiting;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A violation, an eviction, a hold, a pod without a node or a roll-out as texts by name: {@code pod: shop/web-1},
 * {@code node: n1}. An expectation may leave fields out, and then says nothing of them.
 *
 * @param state what policies ask for about the violation; {@code DUE} of an expectation, and of what is no violation
 */
record Entry(Map<String, String> fields, ViolationState state) {
    /** The field with a sentence. */
    static final String WHY = "why";

    /** The state of a pod that had no node at the beginning and has one. */
    static final String BOUND = "Bound";

    /** The state of a pod that had no node at the beginning and is not there any more. */
    static final String GONE = "Gone";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]*");

    Entry {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    Entry(Map<String, String> fields) {
        this(fields, ViolationState.DUE);
    }

    /** What an expectation can be about. */
    enum Subject {
        VIOLATIONS("violation"),
        EVICTIONS("eviction"),
        HOLDS("hold"),
        PENDING("pending pod", "pending"),
        ROLL_OUTS("roll-out", "rollOuts");

        private final String noun;
        private final String plural;

        Subject(String noun) {
            this(noun, noun + "s");
        }

        Subject(String noun, String plural) {
            this.noun = noun;
            this.plural = plural;
        }

        /** {@return the name of one: {@code violation}} */
        String noun() {
            return noun;
        }

        /** {@return the name of a list of them in a test: {@code violations}} */
        String plural() {
            return plural;
        }

        /** {@return whether most tests are about something else, so that a recording leaves an empty list out} */
        boolean isRare() {
            return this == PENDING || this == ROLL_OUTS;
        }

        /** {@return the names of the fields, in order} */
        List<String> names() {
            return switch (this) {
                case VIOLATIONS -> List.of("pod", "node", "rule");
                case EVICTIONS -> List.of("at", "pod", "node", "to", "policy", "rule", "outcome");
                case HOLDS -> List.of("pod", "node", "policy", "rule", "reason");
                case PENDING -> List.of("pod", "node", "state", WHY);
                case ROLL_OUTS -> List.of("kind", "name", "state", "pod", WHY);
            };
        }

        /** {@return the words that a field can have, whatever the test; empty if it has names of objects} */
        Set<String> words(String field) {
            return switch (this) {
                case VIOLATIONS, EVICTIONS, HOLDS -> Set.of();
                case PENDING ->
                    field.equals("state")
                            ? sorted(Stream.concat(
                                    Stream.of(BOUND, GONE), labels(Waiting.State.values(), Waiting.State::label)))
                            : Set.of();
                case ROLL_OUTS ->
                    switch (field) {
                        case "state" -> sorted(labels(RollOut.State.values(), RollOut.State::label));
                        case "kind" -> Set.of("Deployment", "StatefulSet");
                        default -> Set.of();
                    };
            };
        }

        private static <T> Stream<String> labels(T[] states, Function<T, String> label) {
            return Stream.of(states).map(label);
        }

        private static Set<String> sorted(Stream<String> words) {
            return words.collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** {@return whether all fields are the same in what was found; of {@code why}, a part is enough} */
    boolean isMetBy(Entry found) {
        return fields.entrySet().stream().allMatch(field -> {
            String other = found.fields().getOrDefault(field.getKey(), "");
            return field.getKey().equals(WHY) ? other.contains(field.getValue()) : other.equals(field.getValue());
        });
    }

    /** {@return the entry without the sentence that says why, which another version of Holdfast may write otherwise} */
    Entry recorded() {
        Map<String, String> lasting = new LinkedHashMap<>(fields);
        lasting.remove(WHY);
        return new Entry(lasting, state);
    }

    /** {@return the entry as YAML on one line: <code>{pod: shop/web-1, node: n1}</code>} */
    String yaml() {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + ": " + scalar(field.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String scalar(String value) {
        return PLAIN.matcher(value).matches() && !isOfOtherType(value) ? value : "'" + value.replace("'", "''") + "'";
    }

    /** {@return whether YAML would read a number, a truth value, a time or nothing} */
    private static boolean isOfOtherType(String value) {
        return value.matches("(?i)true|false|yes|no|on|off|null|[yn]|[0-9].*") && !value.matches("[0-9]+[hms].*");
    }
}

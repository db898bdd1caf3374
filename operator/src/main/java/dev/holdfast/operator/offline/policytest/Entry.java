package dev.holdfast.operator.offline.policytest;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A violation, an eviction or a hold as texts by name: {@code pod: shop/web-1}, {@code node: n1}. An expectation may
 * leave fields out, and then says nothing of them.
 */
record Entry(Map<String, String> fields) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]*");

    Entry {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** What an expectation can be about. */
    enum Subject {
        VIOLATIONS("violation"),
        EVICTIONS("eviction"),
        HOLDS("hold");

        private final String noun;

        Subject(String noun) {
            this.noun = noun;
        }

        /** {@return the name of one: {@code violation}} */
        String noun() {
            return noun;
        }

        /** {@return the name of a list of them: {@code violations}} */
        String plural() {
            return noun + "s";
        }

        /** {@return the names of the fields, in order} */
        List<String> names() {
            return switch (this) {
                case VIOLATIONS -> List.of("pod", "node", "rule");
                case EVICTIONS -> List.of("at", "pod", "node", "to", "policy", "rule", "outcome");
                case HOLDS -> List.of("pod", "node", "policy", "rule", "reason");
            };
        }
    }

    /** {@return whether all fields of the expectation are the same in what was found} */
    boolean isMetBy(Entry found) {
        return fields.entrySet().stream()
                .allMatch(field -> field.getValue().equals(found.fields().get(field.getKey())));
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

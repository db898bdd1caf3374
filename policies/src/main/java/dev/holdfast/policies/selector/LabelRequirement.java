package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.model.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A parsed selector expression over labels. Gt and Lt exist only in node selectors. */
sealed interface LabelRequirement {
    String key();

    boolean matches(Labels labels);

    /**
     * {@return labels of which every matching object has at least one: {@code app=a} and {@code app=b} for {@code app
     * In [a b]}} Empty if an object without the key may match.
     */
    default List<LabelAnchor> anchors() {
        return List.of(new LabelAnchor(key(), Optional.empty()));
    }

    record In(String key, Set<String> values) implements LabelRequirement {
        @Override
        public List<LabelAnchor> anchors() {
            return LabelAnchor.of(key, values);
        }

        @Override
        public boolean matches(Labels labels) {
            Optional<String> value = labels.get(key);
            return value.isPresent() && values.contains(value.get());
        }
    }

    record NotIn(String key, Set<String> values) implements LabelRequirement {
        @Override
        public List<LabelAnchor> anchors() {
            return List.of();
        }

        @Override
        public boolean matches(Labels labels) {
            Optional<String> value = labels.get(key);
            return value.isEmpty() || !values.contains(value.get());
        }
    }

    record Exists(String key) implements LabelRequirement {
        @Override
        public boolean matches(Labels labels) {
            return labels.has(key);
        }
    }

    record DoesNotExist(String key) implements LabelRequirement {
        @Override
        public List<LabelAnchor> anchors() {
            return List.of();
        }

        @Override
        public boolean matches(Labels labels) {
            return !labels.has(key);
        }
    }

    record Gt(String key, long bound) implements LabelRequirement {
        @Override
        public boolean matches(Labels labels) {
            OptionalLong number = number(labels, key);
            return number.isPresent() && number.getAsLong() > bound;
        }
    }

    record Lt(String key, long bound) implements LabelRequirement {
        @Override
        public boolean matches(Labels labels) {
            OptionalLong number = number(labels, key);
            return number.isPresent() && number.getAsLong() < bound;
        }
    }

    /** {@return the parsed expression of a label selector, where Gt and Lt are invalid (PA-1)} */
    static ParseResult<LabelRequirement> ofLabelSelector(Requirement written) {
        return switch (written.operator()) {
            case "In", "NotIn", "Exists", "DoesNotExist" -> parse(written);
            default -> unusable(written, "`operator` must be In, NotIn, Exists or DoesNotExist");
        };
    }

    /** {@return the parsed expression of a node selector; Gt and Lt take one 64-bit integer (NA-4 to NA-6)} */
    static ParseResult<LabelRequirement> ofNodeSelector(Requirement written) {
        return switch (written.operator()) {
            case "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt" -> parse(written);
            default -> unusable(written, "`operator` must be In, NotIn, Exists, DoesNotExist, Gt or Lt");
        };
    }

    private static ParseResult<LabelRequirement> parse(Requirement written) {
        String key = written.key().intern();
        List<String> values = written.values();
        if (!LabelSyntax.isKey(key)) {
            return unusable(written, "`key` must be a label key");
        }
        for (String value : values) {
            if (!LabelSyntax.isValue(value)) {
                return unusable(written, "'" + QuotedText.of(value) + "' must be a label value");
            }
        }
        return switch (written.operator()) {
            case "In" ->
                values.isEmpty() ? needsValues(written) : new ParseResult.Usable<>(new In(key, StringSet.of(values)));
            case "NotIn" ->
                values.isEmpty()
                        ? needsValues(written)
                        : new ParseResult.Usable<>(new NotIn(key, StringSet.of(values)));
            case "Exists" -> values.isEmpty() ? new ParseResult.Usable<>(new Exists(key)) : takesNoValues(written);
            case "DoesNotExist" ->
                values.isEmpty() ? new ParseResult.Usable<>(new DoesNotExist(key)) : takesNoValues(written);
            default -> comparison(written, key);
        };
    }

    private static ParseResult<LabelRequirement> comparison(Requirement written, String key) {
        OptionalLong bound =
                written.values().size() == 1 ? GoInteger.parse(written.values().getFirst()) : OptionalLong.empty();
        if (bound.isEmpty()) {
            return unusable(written, "`values` must be exactly one 64-bit integer");
        }
        return new ParseResult.Usable<>(
                written.operator().equals("Gt") ? new Gt(key, bound.getAsLong()) : new Lt(key, bound.getAsLong()));
    }

    private static ParseResult<LabelRequirement> needsValues(Requirement written) {
        return unusable(written, "`values` must not be empty");
    }

    private static ParseResult<LabelRequirement> takesNoValues(Requirement written) {
        return unusable(written, "`values` must be empty");
    }

    private static ParseResult<LabelRequirement> unusable(Requirement written, String allowed) {
        return new ParseResult.Unusable<>("'" + QuotedText.of(written.toString()) + "': " + allowed);
    }

    private static OptionalLong number(Labels labels, String key) {
        Optional<String> value = labels.get(key);
        return value.isPresent() ? GoInteger.parse(value.get()) : OptionalLong.empty();
    }
}

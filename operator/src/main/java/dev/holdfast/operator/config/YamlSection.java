package dev.holdfast.operator.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.holdfast.policies.selector.LabelSyntax;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reader of one YAML mapping of a configuration file. For an invalid value, a read records an error and returns the
 * default. After the last read, {@link #refuseOthers} records an error for each key that was not read.
 */
final class YamlSection {
    /** The format that the name of a namespace or of the Lease must have: an RFC 1123 label. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final int MOST_NAMES = 256;
    private static final int LONGEST_QUOTE = 60;

    private final String path;
    private final JsonNode json;
    private final List<String> errors;
    private final Set<String> known = new TreeSet<>();

    private YamlSection(String path, JsonNode json, List<String> errors) {
        this.path = path;
        this.json = json;
        this.errors = errors;
    }

    /** {@return a reader of the mapping of the whole file, which adds errors to the given list} */
    static YamlSection root(JsonNode json, List<String> errors) {
        return new YamlSection("", json, errors);
    }

    YamlSection section(String key) {
        JsonNode value = value(key);
        if (!value.isObject() && !value.isMissingNode()) {
            wrong(key, "a mapping", value);
        }
        return new YamlSection(path + key + ".", value, errors);
    }

    int number(String key, int whenAbsent, int least, int most) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return whenAbsent;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToInt()
                || value.intValue() < least
                || value.intValue() > most) {
            wrong(key, "a whole number from " + least + " to " + most, value);
            return whenAbsent;
        }
        return value.intValue();
    }

    boolean flag(String key, boolean whenAbsent) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return whenAbsent;
        }
        if (!value.isBoolean()) {
            wrong(key, "true or false", value);
            return whenAbsent;
        }
        return value.booleanValue();
    }

    Duration seconds(String key, Duration whenAbsent, int least, int most) {
        return Duration.ofSeconds(number(key, Math.toIntExact(whenAbsent.toSeconds()), least, most));
    }

    <E extends Enum<E>> E choice(String key, E whenAbsent, List<E> allowed, Function<E, String> label) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return whenAbsent;
        }
        return allowed.stream()
                .filter(choice -> value.isTextual() && label.apply(choice).equals(value.textValue()))
                .findFirst()
                .orElseGet(() -> {
                    wrong(key, allowed.stream().map(label).collect(Collectors.joining(" or ")), value);
                    return whenAbsent;
                });
    }

    <E extends Enum<E>> E choice(String key, E whenAbsent, List<E> allowed) {
        return choice(key, whenAbsent, allowed, choice -> choice.name().toLowerCase(Locale.ROOT));
    }

    String name(String key, String whenAbsent) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return whenAbsent;
        }
        if (!isName(value)) {
            wrong(key, "a name of at most 63 lower-case letters, digits and dashes", value);
            return whenAbsent;
        }
        return value.textValue();
    }

    /** {@return the key of a label; empty if it is absent or an empty text} */
    Optional<String> labelKey(String key) {
        JsonNode value = value(key);
        if (value.isMissingNode() || (value.isTextual() && value.textValue().isEmpty())) {
            return Optional.empty();
        }
        if (!value.isTextual() || !LabelSyntax.isKey(value.textValue())) {
            wrong(key, "the key of a label, such as example.com/team", value);
            return Optional.empty();
        }
        return Optional.of(value.textValue());
    }

    /** {@return the path of a folder; empty if the key is absent} Whether the folder exists is not checked. */
    Optional<Path> folder(String key) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isTextual()
                || !value.textValue().startsWith("/")
                || value.textValue().indexOf('\0') >= 0) {
            wrong(key, "the absolute path of a folder", value);
            return Optional.empty();
        }
        return Optional.of(Path.of(value.textValue()));
    }

    /**
     * {@return a list of names}
     *
     * @param of what has these names, for the error message: {@code namespaces}
     */
    Set<String> names(String key, String of, Set<String> whenAbsent) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return whenAbsent;
        }
        if (!value.isArray() || value.size() > MOST_NAMES || !elements(value).allMatch(YamlSection::isName)) {
            wrong(key, "a list of at most " + MOST_NAMES + " names of " + of, value);
            return whenAbsent;
        }
        return elements(value).map(JsonNode::textValue).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Records an error about a value that is valid by itself but conflicts with the value of another key. */
    void refuse(String key, String why) {
        errors.add(path + key + " " + why);
    }

    /** Records an error for each key that was not read. */
    void refuseOthers() {
        json.propertyStream()
                .map(Map.Entry::getKey)
                .filter(key -> !known.contains(key))
                .forEach(key ->
                        errors.add("unknown key " + path + quote(key) + "; allowed here: " + String.join(", ", known)));
    }

    /** Marks the key as read and returns its value: a missing node if the key is absent or its value is null. */
    private JsonNode value(String key) {
        known.add(key);
        JsonNode value = json.path(key);
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    private void wrong(String key, String expected, JsonNode value) {
        errors.add(path + key + " must be " + expected + ", got " + quote(value.toString()));
    }

    private static String quote(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "...";
    }

    private static boolean isName(JsonNode value) {
        return value.isTextual() && NAME.matcher(value.textValue()).matches();
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return array.valueStream();
    }
}

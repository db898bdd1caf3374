package dev.holdfast.operator.offline.policytest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.print.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The fields of an object in a test file. A wrong one is named with its place. */
final class Fields {
    private final String place;
    private final ObjectNode object;
    private final Set<String> read = new HashSet<>();

    private Fields(String place, ObjectNode object) {
        this.place = place;
        this.object = object;
    }

    /** @param place how messages name the object: {@code shop/test.yaml: steps[2]} */
    static Fields of(String place, JsonNode value) throws DumpException {
        if (value instanceof ObjectNode object) {
            return new Fields(place, object);
        }
        throw new DumpException(place + ": must be an object with fields, and is " + value);
    }

    String place() {
        return place;
    }

    DumpException wrong(String name, String problem) {
        return new DumpException(place + ": `" + name + "` " + problem);
    }

    private Optional<JsonNode> value(String name) throws DumpException {
        read.add(name);
        Optional<JsonNode> value = Optional.ofNullable(object.get(name));
        if (value.filter(JsonNode::isNull).isPresent()) {
            throw empty(name);
        }
        return value;
    }

    boolean has(String name) {
        return object.has(name);
    }

    Optional<String> text(String name) throws DumpException {
        Optional<JsonNode> value = value(name);
        if (value.filter(it -> !it.isValueNode()).isPresent()) {
            throw wrong(name, "must be a text");
        }
        return value.map(JsonNode::asText);
    }

    String required(String name) throws DumpException {
        return text(name).orElseThrow(() -> wrong(name, "is missing"));
    }

    Optional<Duration> time(String name) throws DumpException {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(TimeText.parse(text.get())
                .orElseThrow(() -> wrong(
                        name, "must be a time after the beginning, such as 90s, 15m or 1h30m, and is " + text.get())));
    }

    /** {@return what is wrong with the word in a field; empty if the word is known} */
    Optional<String> unknownWord(String name, Set<String> words) throws DumpException {
        String word = required(name);
        if (words.contains(word)) {
            return Optional.empty();
        }
        String similar = words.stream()
                .filter(it -> edits(it, word) <= Math.max(1, word.length() / 3))
                .min(Comparator.comparingInt((String it) -> edits(it, word)).thenComparing(Comparator.naturalOrder()))
                .map(it -> ": did you mean " + it + "?")
                .orElse(".");
        return Optional.of(
                place + ": `" + name + "` cannot be " + word + similar + " There are: " + String.join(", ", words));
    }

    /** {@return how many letters must be added, removed or replaced to make one word of the other} */
    private static int edits(String one, String other) {
        int[] before = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int[] edits = new int[before.length];
            edits[0] = i;
            for (int j = 1; j < edits.length; j++) {
                int replaced = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                edits[j] = Math.min(replaced, Math.min(before[j], edits[j - 1]) + 1);
            }
            before = edits;
        }
        return before[other.length()];
    }

    int number(String name) throws DumpException {
        String text = required(name);
        if (!text.matches("[0-9]{1,6}")) {
            throw wrong(name, "must be a number, and is " + text);
        }
        return Integer.parseInt(text);
    }

    /** {@return the texts of a list, or the only text in place of a list; empty if the field is missing} */
    List<String> texts(String name) throws DumpException {
        List<String> texts = new ArrayList<>();
        for (JsonNode one : many(name)) {
            if (!one.isValueNode()) {
                throw wrong(name, "must be a text or a list of texts");
            }
            texts.add(one.asText());
        }
        return texts;
    }

    /** {@return the objects of a list, or the only object in place of a list; empty if the field is missing} */
    List<Fields> objects(String name) throws DumpException {
        List<Fields> objects = new ArrayList<>();
        for (JsonNode one : many(name)) {
            objects.add(of(place + ": " + name + "[" + objects.size() + "]", one));
        }
        return objects;
    }

    private List<JsonNode> many(String name) throws DumpException {
        Optional<JsonNode> value = value(name);
        if (value.filter(it -> it.isTextual() && it.textValue().isEmpty()).isPresent()) {
            throw empty(name);
        }
        List<JsonNode> values = new ArrayList<>();
        value.ifPresent(it -> {
            if (it.isArray()) {
                it.forEach(values::add);
            } else {
                values.add(it);
            }
        });
        return values;
    }

    /** {@return the error of a field without a value, which is probably meant as a list without entries} */
    private DumpException empty(String name) {
        return wrong(name, "has no value: write [] for an empty list, or leave it out");
    }

    Optional<Fields> object(String name) throws DumpException {
        Optional<JsonNode> value = value(name);
        return value.isEmpty() ? Optional.empty() : Optional.of(of(place + ": " + name, value.get()));
    }

    /** {@return all fields as texts, in the order of the file} */
    Map<String, String> texts() throws DumpException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            texts.put(field.getKey(), text(field.getKey()).orElse(""));
        }
        return texts;
    }

    /** Refuses fields that nothing has read, as they would have no effect. */
    void requireNoOther() throws DumpException {
        Set<String> others = new TreeSet<>();
        object.fieldNames().forEachRemaining(others::add);
        others.removeAll(read);
        if (!others.isEmpty()) {
            throw new DumpException(place + ": there is no field `" + String.join("`, `", others) + "`; there are: "
                    + String.join(", ", new TreeSet<>(read)));
        }
    }
}

package dev.holdfast.it.placement;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Random annotations with rules: valid ones that use each field, and ones with a small mistake. */
final class RandomAnnotations {
    private static final List<String> KEYS =
            List.of("disk", "example.com/tier", "app", "name", "key", "labelSelector", "a_b.c-d", "rules", "null");
    private static final List<String> VALUES = List.of("", "ssd", "A-1_b.c", "0", "true", "x".repeat(63));
    private static final List<String> WRONG = List.of(
            "disk",
            "0",
            "true",
            "null",
            "",
            "-a",
            "a b",
            "{}",
            "[]",
            "{\"a\":1}",
            "In",
            "Gt",
            "x".repeat(64),
            "é",
            "a:b");

    private final Random random;
    private final ObjectMapper json = new ObjectMapper();

    RandomAnnotations(Random random) {
        this.random = random;
    }

    /** {@return an annotation; most are valid} */
    String valid() {
        ObjectNode document = json.createObjectNode().put("apiVersion", "holdfast.dev/v1alpha1");
        if (chance(30)) {
            document.put("replace", chance(50));
        }
        ArrayNode rules = document.putArray("rules");
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            rules.add(rule("rule-" + i));
        }
        return spaced(document.toString());
    }

    /**
     * {@return a valid annotation with a part cut out, put twice, exchanged or replaced; some are valid nevertheless}
     */
    String mistaken() {
        String text = valid();
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + 1 + random.nextInt(chance(50) ? 2 : 30));
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, from) + text.substring(to);
            case 1 -> text.substring(0, to) + text.substring(from);
            case 2 ->
                text.substring(0, from)
                        + one(List.of("{", "}", "[", "]", ",", ":", "\"", " ", "1", "-", "\\", "x"))
                        + text.substring(from + 1);
            case 3 ->
                text.replaceFirst("\"" + one(KEYS) + "\"", "\"" + one(WRONG).replace("\"", "") + "\"");
            default -> replaced(text, from);
        };
    }

    /** {@return the text with another string or value in the place of the first string after an offset} */
    private String replaced(String text, int from) {
        int start = text.indexOf('"', from);
        int end = text.indexOf('"', start + 1);
        String other = chance(70) ? "\"" + one(WRONG).replace("\"", "") + "\"" : one(WRONG);
        return start < 0 || end < 0 ? text : text.substring(0, start) + other + text.substring(end + 1);
    }

    private String spaced(String text) {
        if (chance(50)) {
            return text;
        }
        String space = one(List.of(" ", "\n", "\t ", "\r\n  "));
        return space
                + text.replace(",", "," + space)
                        .replace(":", space + ":" + space)
                        .replace("{", "{" + space)
                        .replace("]", space + "]");
    }

    private ObjectNode rule(String name) {
        ObjectNode rule = json.createObjectNode();
        rule.put("name", name);
        switch (random.nextInt(4)) {
            case 0 -> rule.set("nodeAffinity", node());
            case 1 -> rule.set("podAffinityTerm", podTerm());
            case 2 -> rule.set("podAntiAffinityTerm", podTerm());
            default -> rule.set("topologySpreadConstraint", spread());
        }
        return rule;
    }

    private ObjectNode node() {
        ObjectNode node = json.createObjectNode();
        ArrayNode terms = node.putObject("required").putArray("nodeSelectorTerms");
        terms.add(nodeTerm());
        while (chance(30) && terms.size() < 10) {
            terms.add(chance(20) ? json.createObjectNode() : nodeTerm());
        }
        return node;
    }

    private ObjectNode nodeTerm() {
        ObjectNode term = json.createObjectNode();
        if (chance(25)) {
            ObjectNode field =
                    json.createObjectNode().put("key", "metadata.name").put("operator", one(List.of("In", "NotIn")));
            field.putArray("values").add(one(List.of("n1", "node-1.example.com")));
            term.putArray("matchFields").add(field);
            if (chance(50)) {
                return term;
            }
        }
        term.set(
                "matchExpressions",
                list(1, 3, _ -> requirement(List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt"))));
        return term;
    }

    private ObjectNode requirement(List<String> operators) {
        String operator = one(operators);
        ObjectNode requirement = json.createObjectNode();
        requirement.put("operator", operator);
        requirement.put("key", one(KEYS));
        switch (operator) {
            case "In", "NotIn" -> texts(requirement, "values", 1, 4, () -> one(VALUES));
            case "Gt" -> requirement.putArray("values").add("12");
            default -> {
                if (chance(30)) {
                    requirement.putArray("values");
                }
            }
        }
        return requirement;
    }

    private ObjectNode selector() {
        ObjectNode selector = json.createObjectNode();
        if (chance(70)) {
            ObjectNode labels = selector.putObject("matchLabels");
            for (int i = random.nextInt(4); i > 0; i--) {
                labels.put(one(KEYS), one(VALUES));
            }
        }
        if (chance(40)) {
            selector.set(
                    "matchExpressions", list(0, 2, _ -> requirement(List.of("In", "NotIn", "Exists", "DoesNotExist"))));
        }
        return selector;
    }

    private ObjectNode podTerm() {
        ObjectNode term = json.createObjectNode();
        term.set("labelSelector", selector());
        term.put("topologyKey", one(List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")));
        if (chance(30)) {
            texts(term, "namespaces", 0, 3, () -> one(List.of("shop", "a-1", "0")));
        }
        if (chance(30)) {
            term.set("namespaceSelector", selector());
        }
        if (chance(20)) {
            term.putArray("matchLabelKeys").add("pod-template-hash");
        }
        if (chance(20)) {
            term.putArray("mismatchLabelKeys").add("tenant");
        }
        return term;
    }

    private ObjectNode spread() {
        ObjectNode spread = json.createObjectNode();
        spread.put("maxSkew", one(List.of(1, 5, 1_000_000)));
        spread.put("whenUnsatisfiable", "DoNotSchedule");
        spread.put("topologyKey", one(List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")));
        if (chance(80)) {
            spread.set("labelSelector", selector());
            if (chance(20)) {
                spread.putArray("matchLabelKeys").add("pod-template-hash");
            }
        }
        if (chance(30)) {
            spread.put("minDomains", 1 + random.nextInt(3));
        }
        for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
            if (chance(20)) {
                spread.put(policy, one(List.of("Honor", "Ignore")));
            }
        }
        return spread;
    }

    private ArrayNode list(int least, int most, IntFunction<ObjectNode> item) {
        ArrayNode list = json.createArrayNode();
        int count = least + random.nextInt(most - least + 1);
        for (int i = 0; i < count; i++) {
            list.add(item.apply(i));
        }
        return list;
    }

    private void texts(ObjectNode object, String field, int least, int most, Supplier<String> text) {
        ArrayNode list = object.putArray(field);
        int count = least + random.nextInt(most - least + 1);
        for (int i = 0; i < count; i++) {
            list.add(text.get());
        }
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}

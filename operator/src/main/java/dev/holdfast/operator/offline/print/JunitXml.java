package dev.holdfast.operator.offline.print;

import java.util.ArrayList;
import java.util.List;

/**
 * Test results in the XML form of JUnit, which CI servers read. The document has one test suite, and no times: the same
 * input gives the same lines.
 *
 * @param suite the name of the test suite
 * @param cases the test cases, in the order in which they are written
 */
public record JunitXml(String suite, List<Case> cases) {
    public JunitXml {
        cases = List.copyOf(cases);
    }

    /**
     * A test case.
     *
     * @param className what groups cases: the name of a class in a test report of Java
     * @param name the name of the case in its group
     * @param warnings sentences about the case that do not decide its outcome; written as its standard error
     */
    public record Case(String className, String name, Outcome outcome, List<String> warnings) {
        public Case {
            warnings = List.copyOf(warnings);
        }

        /** Creates a case without warnings. */
        public Case(String className, String name, Outcome outcome) {
            this(className, name, outcome, List.of());
        }
    }

    /** How a test case ended. */
    public sealed interface Outcome {
        /** The expectation is met. */
        record Passed() implements Outcome {}

        /**
         * The expectation is not met.
         *
         * @param message one line
         * @param text more about it, with line breaks; may be empty
         */
        record Failed(String message, String text) implements Outcome {}

        /** It is unknown whether the expectation is met. */
        record Errored(String message, String text) implements Outcome {}

        /** The case did not run. */
        record Skipped(String message) implements Outcome {}
    }

    /** {@return the document} Control characters in names and texts are written as escapes such as \u001b. */
    public List<String> lines() {
        String counts = " tests=\"" + cases.size() + "\" failures=\"" + count(Outcome.Failed.class) + "\" errors=\""
                + count(Outcome.Errored.class) + "\" skipped=\"" + count(Outcome.Skipped.class) + "\"";
        List<String> lines = new ArrayList<>();
        lines.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        lines.add("<testsuites" + counts + ">");
        lines.add("  <testsuite" + attribute("name", suite) + counts + ">");
        cases.forEach(test -> add(lines, test));
        lines.add("  </testsuite>");
        lines.add("</testsuites>");
        return lines;
    }

    private long count(Class<? extends Outcome> outcome) {
        return cases.stream().filter(test -> outcome.isInstance(test.outcome())).count();
    }

    private static void add(List<String> lines, Case test) {
        String start = "    <testcase" + attribute("classname", test.className()) + attribute("name", test.name());
        List<String> elements = new ArrayList<>();
        switch (test.outcome()) {
            case Outcome.Passed() -> {
                // A test case passes if nothing in it says otherwise.
            }
            case Outcome.Failed(String message, String text) -> add(elements, "failure", message, text);
            case Outcome.Errored(String message, String text) -> add(elements, "error", message, text);
            case Outcome.Skipped(String message) -> add(elements, "skipped", message, "");
        }
        if (!test.warnings().isEmpty()) {
            add(elements, "system-err", "system-err", test.warnings());
        }
        if (elements.isEmpty()) {
            lines.add(start + "/>");
        } else {
            lines.add(start + ">");
            lines.addAll(elements);
            lines.add("    </testcase>");
        }
    }

    private static void add(List<String> lines, String element, String message, String text) {
        String start = element + attribute("message", message);
        if (text.isEmpty()) {
            lines.add("      <" + start + "/>");
        } else {
            add(lines, start, element, text.lines().toList());
        }
    }

    private static void add(List<String> lines, String start, String element, List<String> texts) {
        lines.add("      <" + start + ">");
        texts.stream().map(JunitXml::escaped).forEach(lines::add);
        lines.add("      </" + element + ">");
    }

    private static String attribute(String name, String value) {
        return " " + name + "=\"" + escaped(value) + "\"";
    }

    /**
     * {@return the text without markup, in ASCII} XML 1.0 has no form for most control characters, so they are shown
     * first. Other letters are written as references, as standard output may have another encoding than UTF-8.
     */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        Printable.of(text).codePoints().forEach(point -> {
            if (point > '~' || "<>&\"'".indexOf(point) >= 0) {
                escaped.append("&#").append(point).append(';');
            } else {
                escaped.appendCodePoint(point);
            }
        });
        return escaped.toString();
    }
}

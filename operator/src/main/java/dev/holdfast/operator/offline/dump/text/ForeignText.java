package dev.holdfast.operator.offline.dump.text;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What people have in files with objects by mistake: a line that is no JSON and no YAML of an object. */
enum ForeignText {
    MESSAGE(
            "a message of kubectl",
            "(Error from server\\b|[Ee]rror: |Warning: |Unable to connect to the server|"
                    + "The connection to the server |No resources found|You must be logged in|kubectl(\\.exe)? : ).*",
            Advice.STANDARD_ERROR),
    LOG(
            "a line of a log",
            "([IWEF]\\d{4} \\d\\d:\\d\\d:\\d\\d|\\[?\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d|time=\"|"
                    + "\\[?(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\\b).*",
            Advice.STANDARD_ERROR),
    TABLE(
            "a table that kubectl prints for people",
            "([A-Z][A-Z0-9()%/_-]*( [A-Z0-9()%/_-]+)*(\\s{2,}|\\t)[A-Z].*|NAME"
                    + "|[^\\s:\"]+\\s{2,}([^\\s:\"]+\\s{2,})?\\d+/\\d+\\s.*)",
            Advice.JSON),
    NAMES("a name that `kubectl get -o name` prints", "[a-z]+(\\.[a-z0-9.]+)?/[a-z0-9][a-z0-9.-]*", Advice.JSON),
    DESCRIPTION("the beginning of what `kubectl describe` prints", "Name:\\s{2,}\\S.*", Advice.JSON),
    MARKUP("HTML or XML, as a proxy or a login page sends", "<.*", Advice.ANSWER),
    COMMAND(
            "a command line or a message of a shell",
            "((\\[[^\\]\"]*]|[^\\s\"'{}]*)[$#%>] |\\++ )?(kubectl|oc) .*|[^\"{}]*(: command not found|: not found"
                    + "|is not recognized as an internal or external command.*)",
            Advice.STANDARD_ERROR);

    /** What may be the first line of YAML: a marker, a value in quotes, or a field. */
    private static final Pattern LIKE_YAML = Pattern.compile("(---|%|[{\\[!&*\"'?|>-]).*|[\\w./-]+\\s*:(\\s.*)?");

    /** The most characters of a line that a message quotes. */
    private static final int MOST_QUOTED = 160;

    private final String name;
    private final Pattern pattern;
    private final Advice advice;

    ForeignText(String name, String pattern, Advice advice) {
        this.name = name;
        this.pattern = Pattern.compile(pattern);
        this.advice = advice;
    }

    private enum Advice {
        STANDARD_ERROR("run kubectl again without `2>&1`, so that the file has JSON alone: kubectl get ... -o json >"
                + " FILE"),
        JSON("give the objects themselves: kubectl get ... -o json > FILE"),
        ANSWER("see whether `kubectl version` reaches the API server, and run kubectl again: kubectl get ... -o json >"
                + " FILE");

        private final String text;

        Advice(String text) {
            this.text = text;
        }
    }

    /** {@return what the line is; empty if it is nothing that is known} */
    static Optional<ForeignText> of(String line) {
        return Stream.of(values())
                .filter(it -> it.pattern.matcher(line).matches())
                .findFirst();
    }

    /** {@return a sentence about the first line of a text; empty if it may be one of YAML} */
    static Optional<String> sentenceOfFirst(String line) {
        return of(line).map(it -> it.sentence(line))
                .or(() -> LIKE_YAML.matcher(line).matches()
                        ? Optional.empty()
                        : Optional.of("this line is no JSON, and no field of YAML: " + quoted(line) + ": "
                                + Advice.JSON.text));
    }

    /** {@return a sentence about the line, with what to do} */
    String sentence(String line) {
        return "this line is " + name + ", no JSON and no YAML: " + quoted(line) + ": " + advice.text;
    }

    /** {@return a sentence about the line, if it stands after objects that were read} */
    String sentenceAfterObjects(String line) {
        return "after the objects comes " + name + ": " + quoted(line)
                + (this == MESSAGE || this == LOG ? ": kubectl may have failed, and the list may be incomplete" : "")
                + ": " + advice.text;
    }

    /** {@return the line in quotes, without its end if it is long} */
    static String quoted(String line) {
        return '"' + (line.length() <= MOST_QUOTED ? line : line.substring(0, MOST_QUOTED) + "...") + '"';
    }
}

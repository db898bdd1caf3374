package dev.holdfast.operator.offline.print;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Colors of a terminal for the names of columns, and for words that stand for a verdict. */
public final class Colors {
    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String OFF = "\u001b[0m";

    private static final Pattern HEADER = Pattern.compile(" *[A-Z][A-Z0-9_./-]*(?: +[A-Z][A-Z0-9_./-]*)*");

    private static final Map<String, String> WORDS =
            Map.of("Violated", RED, "Killed", RED, "Undetermined", YELLOW, "Satisfied", GREEN);

    /** A cell that is one such word: the next cell is three spaces away. */
    private static final Pattern WORD = Pattern.compile("(?<=  |^)(" + String.join("|", WORDS.keySet()) + ")(?=  |$)");

    private Colors() {}

    /** {@return lines of tables with colors; without the escape sequences the text is the same} */
    public static List<String> paint(List<String> lines) {
        return lines.stream().map(Colors::paint).toList();
    }

    private static String paint(String line) {
        return HEADER.matcher(line).matches()
                ? BOLD + line + OFF
                : WORD.matcher(line).replaceAll(word -> WORDS.getOrDefault(word.group(1), "") + word.group(1) + OFF);
    }
}

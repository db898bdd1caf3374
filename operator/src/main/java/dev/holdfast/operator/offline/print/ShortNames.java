package dev.holdfast.operator.offline.print;

import java.util.Collection;
import java.util.List;

/**
 * Shortens names that stand side by side. What all of them begin or end with is dropped up to a {@code -} or {@code .},
 * and a name that is still too long is cut in the middle. Names are left as they are if the longest one is short.
 */
public final class ShortNames {
    /** One character, because the names stand in narrow places. */
    private static final String ELLIPSIS = "\u2026";

    private final int most;
    private final String start;
    private final String end;

    /**
     * @param names all names
     * @param most the most characters of a shortened name; at least 3
     */
    public ShortNames(Collection<String> names, int most) {
        this.most = most;
        List<String> all = names.stream().distinct().sorted().toList();
        boolean shortens = all.size() > 1 && all.stream().anyMatch(name -> name.length() > most);
        this.start = shortens ? commonStart(all) : "";
        this.end = shortens ? commonEnd(all, start.length()) : "";
    }

    /** {@return what all names begin with, up to a boundary} Of sorted names, the first and the last differ first. */
    private static String commonStart(List<String> sorted) {
        String first = sorted.getFirst();
        String last = sorted.getLast();
        int same = 0;
        while (same < Math.min(first.length(), last.length()) && first.charAt(same) == last.charAt(same)) {
            same++;
        }
        int boundary = same;
        while (boundary > 0 && !isBoundary(first.charAt(boundary - 1))) {
            boundary--;
        }
        // A name that is the start of all others keeps something.
        return first.length() == boundary ? "" : first.substring(0, boundary);
    }

    private static String commonEnd(List<String> names, int start) {
        String first = names.getFirst();
        for (int at = start + 1; at < first.length(); at++) {
            String end = first.substring(at);
            if (isBoundary(first.charAt(at))
                    && names.stream().allMatch(name -> name.endsWith(end) && name.length() > start + end.length())) {
                return end;
            }
        }
        return "";
    }

    private static boolean isBoundary(char letter) {
        return letter == '-' || letter == '.';
    }

    /** {@return a name, which is one of them, as short as it should be} */
    public String of(String name) {
        String rest = name.substring(start.length(), name.length() - end.length());
        return CutNames.cut(rest, most, ELLIPSIS);
    }

    /** {@return what is left out of all names, as a sentence; empty if nothing is} */
    public String note() {
        String where = start.isEmpty() ? "" : start + " at the start";
        where += end.isEmpty() ? "" : (where.isEmpty() ? "" : " and ") + end + " at the end";
        return where.isEmpty() ? "" : "Names of nodes are written without " + where + ".";
    }
}

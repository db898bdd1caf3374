package dev.holdfast.operator.offline.print;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Long names of Kubernetes objects with their middle left out: {@code checkout-s...-x2x9z}. */
final class CutNames {
    /** A name of an object has no two dots in a row, so no name looks like a cut one. */
    private static final String LEFT_OUT = "...";

    private CutNames() {}

    /**
     * {@return the names that are cut, each with what is left} Names that would look alike keep more characters.
     *
     * @param names all names that stand in one column
     * @param width the most characters of a name, if that is enough to tell all of them apart
     */
    static Map<String, String> of(Collection<String> names, int width) {
        int longest = names.stream().mapToInt(LineWidth::length).max().orElse(0);
        for (int most = width; most < longest; most++) {
            Map<String, String> cut = new HashMap<>();
            Set<String> shown = new HashSet<>();
            for (String name : Set.copyOf(names)) {
                if (LineWidth.length(name) > most) {
                    cut.put(name, cut(name, most, LEFT_OUT));
                }
                if (!shown.add(cut.getOrDefault(name, name))) {
                    break;
                }
            }
            if (shown.size() == Set.copyOf(names).size()) {
                return cut;
            }
        }
        return Map.of();
    }

    /**
     * {@return a name, of which the middle is left out if it is longer}
     *
     * @param leftOut stands in the middle of a cut name
     */
    static String cut(String name, int most, String leftOut) {
        int[] characters = name.codePoints().toArray();
        if (characters.length <= most) {
            return name;
        }
        int kept = most - leftOut.length();
        int head = kept / 2;
        int tail = kept - head;
        return new String(characters, 0, head) + leftOut + new String(characters, characters.length - tail, tail);
    }
}

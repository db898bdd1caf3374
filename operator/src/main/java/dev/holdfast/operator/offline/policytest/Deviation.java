package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.print.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A difference between what is expected and what happens.
 *
 * @param at the time of the expectation, after the beginning
 */
record Deviation(Duration at, Entry.Subject subject, Difference difference, Entry entry) {
    /** How an entry deviates. */
    enum Difference {
        /** The entry is expected and does not happen. */
        MISSING("missing"),
        /** The entry happens and is not expected. */
        UNEXPECTED("unexpected"),
        /** The entry is expected and happens, but not in this order. */
        MISPLACED("misplaced");

        private final String word;

        Difference(String word) {
            this.word = word;
        }

        /** {@return the word in messages} */
        String word() {
            return word;
        }
    }

    /** The limit on the product of two lengths. Longer lists are shown whole from the first difference on. */
    private static final long MOST_COMPARED = 10_000_000;

    /** {@return the differences of two lists} Evictions have an order, and the others have none. */
    static List<Deviation> between(Duration at, Entry.Subject subject, List<Entry> expected, List<Entry> found) {
        Matching inAnyOrder = unordered(expected, found);
        if (subject != Entry.Subject.EVICTIONS) {
            return deviations(at, subject, inAnyOrder);
        }
        Matching inOrder = ordered(expected, found);
        return inAnyOrder.isEmpty()
                ? inOrder.missing().stream()
                        .map(entry -> new Deviation(at, subject, Difference.MISPLACED, entry))
                        .toList()
                : deviations(at, subject, inOrder);
    }

    private static List<Deviation> deviations(Duration at, Entry.Subject subject, Matching matching) {
        List<Deviation> deviations = new ArrayList<>();
        matching.missing().forEach(entry -> deviations.add(new Deviation(at, subject, Difference.MISSING, entry)));
        matching.unexpected()
                .forEach(entry -> deviations.add(new Deviation(at, subject, Difference.UNEXPECTED, entry)));
        return deviations;
    }

    private record Matching(List<Entry> missing, List<Entry> unexpected) {
        boolean isEmpty() {
            return missing.isEmpty() && unexpected.isEmpty();
        }
    }

    /**
     * Matches in any order: expectations with the most fields choose first, and give way to those with fewer matches.
     */
    private static Matching unordered(List<Entry> expected, List<Entry> found) {
        List<Entry> choosing = new ArrayList<>(expected);
        choosing.sort(
                Comparator.comparingInt((Entry entry) -> entry.fields().size()).reversed());
        Assignment assignment = new Assignment(choosing, found);
        return new Matching(assignment.missing(), assignment.unexpected());
    }

    /** Leaves out as few entries of both lists as possible, so that the rest is the same in the same order. */
    private static Matching ordered(List<Entry> expected, List<Entry> found) {
        int begin = 0;
        while (begin < Math.min(expected.size(), found.size())
                && expected.get(begin).isMetBy(found.get(begin))) {
            begin++;
        }
        List<Entry> restOfExpected = expected.subList(begin, expected.size());
        List<Entry> restOfFound = found.subList(begin, found.size());
        return (long) restOfExpected.size() * restOfFound.size() > MOST_COMPARED
                ? new Matching(restOfExpected, restOfFound)
                : shortest(restOfExpected, restOfFound);
    }

    private static Matching shortest(List<Entry> expected, List<Entry> found) {
        int[][] same = new int[expected.size() + 1][found.size() + 1];
        for (int i = expected.size() - 1; i >= 0; i--) {
            for (int j = found.size() - 1; j >= 0; j--) {
                same[i][j] = expected.get(i).isMetBy(found.get(j))
                        ? same[i + 1][j + 1] + 1
                        : Math.max(same[i + 1][j], same[i][j + 1]);
            }
        }
        List<Entry> missing = new ArrayList<>();
        List<Entry> unexpected = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < expected.size() || j < found.size()) {
            boolean both = i < expected.size() && j < found.size();
            if (both && expected.get(i).isMetBy(found.get(j)) && same[i][j] == same[i + 1][j + 1] + 1) {
                i++;
                j++;
            } else if (j >= found.size() || (both && same[i + 1][j] >= same[i][j + 1])) {
                missing.add(expected.get(i++));
            } else {
                unexpected.add(found.get(j++));
            }
        }
        return new Matching(missing, unexpected);
    }

    /** {@return whether a violation, or the hold of one, is expected and does not happen} */
    boolean isExpectedViolation() {
        return difference == Difference.MISSING
                && (subject == Entry.Subject.VIOLATIONS || subject == Entry.Subject.HOLDS);
    }

    /** {@return the difference as a line: <code>at 2h: missing eviction {pod: shop/web-1}</code>} */
    String line() {
        return "at " + TimeText.of(at) + ": " + difference.word() + " " + subject.noun() + " " + entry.yaml()
                + (difference == Difference.MISPLACED ? ": it happens in another order" : "");
    }
}

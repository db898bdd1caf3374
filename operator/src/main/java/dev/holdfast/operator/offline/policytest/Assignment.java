package dev.holdfast.operator.offline.policytest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Assigns the entries that were found to expectations, so that as many expectations as possible are met.
 *
 * <p>Example: expected are any hold on n1 and the hold of pod a; found are a hold of a on n1 and one of b on n1. The
 * first expectation takes the hold of a, and gives way to the second one, which nothing else meets.
 */
final class Assignment {
    private static final int NONE = -1;

    /** The longest lists in which expectations give way. In longer lists, each takes the first entry that is free. */
    private static final int MOST_GIVING_WAY = 2_000;

    private final List<Entry> expected;
    private final List<Entry> found;

    /** For each entry that was found, the number of the expectation that it meets. */
    private final int[] met;

    private final BitSet missing = new BitSet();

    Assignment(List<Entry> expected, List<Entry> found) {
        this.expected = expected;
        this.found = found;
        this.met = new int[found.size()];
        Arrays.fill(met, NONE);
        boolean mayGiveWay = expected.size() <= MOST_GIVING_WAY && found.size() <= MOST_GIVING_WAY;
        for (int i = 0; i < expected.size(); i++) {
            if (!takeFree(i) && !(mayGiveWay && take(i, new BitSet()))) {
                missing.set(i);
            }
        }
    }

    private boolean takeFree(int expectation) {
        for (int j = 0; j < met.length; j++) {
            if (met[j] == NONE && expected.get(expectation).isMetBy(found.get(j))) {
                met[j] = expectation;
                return true;
            }
        }
        return false;
    }

    /** @param tried the entries that this expectation, or one that would give way to it, has asked for */
    private boolean take(int expectation, BitSet tried) {
        for (int j = 0; j < met.length; j++) {
            if (!tried.get(j) && expected.get(expectation).isMetBy(found.get(j))) {
                tried.set(j);
                if (met[j] == NONE || take(met[j], tried)) {
                    met[j] = expectation;
                    return true;
                }
            }
        }
        return false;
    }

    /** {@return the expectations that nothing meets} */
    List<Entry> missing() {
        return missing.stream().mapToObj(expected::get).toList();
    }

    /** {@return the entries that meet no expectation} */
    List<Entry> unexpected() {
        List<Entry> unexpected = new ArrayList<>();
        for (int j = 0; j < met.length; j++) {
            if (met[j] == NONE) {
                unexpected.add(found.get(j));
            }
        }
        return unexpected;
    }
}

package dev.holdfast.operator.ledger;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which write of moves, limits and brakes a ledger is of. The Lease says the newest, so that neither a ledger from a backup
 * nor an emptied one is taken for it.
 *
 * @param term the term of the leader
 * @param write increases with each write of the leader
 */
record WriteNumber(long term, long write) implements Comparable<WriteNumber> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})/(\\d{1,18})");

    private static final Comparator<WriteNumber> ORDER =
            Comparator.comparingLong(WriteNumber::term).thenComparingLong(WriteNumber::write);

    /** {@return the number with this text; empty if there is no number in it, for example after an edit by hand} */
    static Optional<WriteNumber> of(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new WriteNumber(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    /** {@return whether a later write may have been the next one after this} */
    boolean isJustBefore(WriteNumber later) {
        return later.equals(new WriteNumber(term, write + 1)) || later.equals(new WriteNumber(term + 1, 1));
    }

    @Override
    public int compareTo(WriteNumber other) {
        return ORDER.compare(this, other);
    }

    /** {@return for example: 3/17} */
    @Override
    public String toString() {
        return term + "/" + write;
    }
}

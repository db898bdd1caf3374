package dev.holdfast.operator.ledger;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number of a write of moves, limits and brakes, which tells ledgers apart.
 *
 * @param namespace where the ledger is; empty if the leader had none
 * @param term the term of the leader
 * @param write increases with each write of the leader
 */
record WriteNumber(String namespace, long term, long write) {
    private static final Pattern TEXT = Pattern.compile("([a-z0-9-]*)/(\\d{1,18})/(\\d{1,18})");

    /** Orders the numbers of one namespace by age, the oldest first. */
    static final Comparator<WriteNumber> BY_AGE =
            Comparator.comparingLong(WriteNumber::term).thenComparingLong(WriteNumber::write);

    /** {@return what a leader without a ledger notes} */
    static WriteNumber none() {
        return new WriteNumber("", 0, 0);
    }

    /** {@return the number with this text; empty if there is no number in it, for example after an edit by hand} */
    static Optional<WriteNumber> of(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new WriteNumber(
                        matcher.group(1), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /** {@return whether a later write may have been the next one after this} */
    boolean isJustBefore(WriteNumber later) {
        return later.equals(new WriteNumber(namespace, term, write + 1))
                || later.equals(new WriteNumber(namespace, term + 1, 1));
    }

    /** {@return for example: holdfast/3/17} */
    @Override
    public String toString() {
        return namespace + "/" + term + "/" + write;
    }
}

package dev.holdfast.operator.ledger;

/** The text of a ledger is not one that this version of the operator can read. */
final class UnreadableLedgerException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean later;

    private UnreadableLedgerException(String why, boolean later) {
        super(why);
        this.later = later;
    }

    static UnreadableLedgerException because(String why) {
        return new UnreadableLedgerException(why, false);
    }

    static UnreadableLedgerException ofLaterVersion(int format) {
        return new UnreadableLedgerException(
                "a later version wrote it, in a format that this one cannot read (" + format + ")", true);
    }

    /** {@return whether a later version of the operator wrote the text} */
    boolean isLater() {
        return later;
    }
}

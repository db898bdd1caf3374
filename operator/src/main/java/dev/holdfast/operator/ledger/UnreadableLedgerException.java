package dev.holdfast.operator.ledger;

/** The text of a ledger is not one that this version of the operator can read. */
final class UnreadableLedgerException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableLedgerException(String why) {
        super(why);
    }
}

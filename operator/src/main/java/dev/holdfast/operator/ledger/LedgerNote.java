package dev.holdfast.operator.ledger;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The note of the Lease that says which write of a ledger is the newest. So the operator does not take a ledger from a
 * backup, an emptied one, or that of an earlier release for the newest.
 *
 * @param reader reads the note; empty if there is none
 * @param writer sets the note
 */
public record LedgerNote(Supplier<Optional<String>> reader, Consumer<String> writer) {
    Optional<WriteNumber> read() {
        return reader.get().flatMap(WriteNumber::of);
    }

    void write(WriteNumber number) {
        writer.accept(number.toString());
    }
}

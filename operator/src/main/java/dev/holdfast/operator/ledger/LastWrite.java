package dev.holdfast.operator.ledger;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The place outside of the ledger that says which write is the newest: the Lease.
 *
 * @param said what it says; empty if it says nothing
 * @param say sets what it says
 */
public record LastWrite(Supplier<Optional<String>> said, Consumer<String> say) {
    Optional<WriteNumber> number() {
        return said.get().flatMap(WriteNumber::of);
    }

    void is(WriteNumber number) {
        say.accept(number.toString());
    }
}

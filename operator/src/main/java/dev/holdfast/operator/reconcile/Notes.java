package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.plan.conduct.Conduct;
import dev.holdfast.policies.plan.conduct.Conduct.StandingException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is worth a word about a policy that is valid: it may not do what its author thinks. */
final class Notes {
    private Notes() {}

    /** {@return the notes, each after a semicolon; empty where there are none} */
    static String of(Conduct conduct, Instant now) {
        return Stream.of(limits(conduct), overExceptions(conduct, now))
                .flatMap(Optional::stream)
                .map(note -> "; " + note)
                .reduce("", String::concat);
    }

    private static Optional<String> limits(Conduct conduct) {
        return conduct.limits().allowAny() ? Optional.empty() : Optional.of("its `limits` allow no eviction");
    }

    private static Optional<String> overExceptions(Conduct conduct, Instant now) {
        List<Instant> over = ends(conduct).filter(end -> !now.isBefore(end)).toList();
        if (over.isEmpty()) {
            return Optional.empty();
        }
        Instant last = over.getLast().truncatedTo(ChronoUnit.SECONDS);
        return Optional.of(
                over.size() == 1
                        ? "1 of its `exceptions` has expired, at " + last + ": it holds nothing any more"
                        : over.size() + " of its `exceptions` have expired, the last at " + last
                                + ": they hold nothing any more");
    }

    /** {@return when the notes change next if nobody edits the policy; empty if never} */
    static Optional<Instant> nextChange(Conduct conduct, Instant now) {
        return ends(conduct).filter(now::isBefore).findFirst();
    }

    private static Stream<Instant> ends(Conduct conduct) {
        return conduct.exceptions().stream()
                .map(StandingException::until)
                .flatMap(Optional::stream)
                .sorted(Comparator.naturalOrder());
    }
}

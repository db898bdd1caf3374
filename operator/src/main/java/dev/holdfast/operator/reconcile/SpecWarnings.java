package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.plan.conduct.DisruptionControls.StandingException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is worth a word about a policy that is valid: it may not do what its author thinks. */
final class SpecWarnings {
    private SpecWarnings() {}

    /** {@return the notes, each after a semicolon; empty where there are none} */
    static String of(DisruptionControls disruptionControls, Instant now) {
        return Stream.of(limits(disruptionControls), overExceptions(disruptionControls, now))
                .flatMap(Optional::stream)
                .map(note -> "; " + note)
                .reduce("", String::concat);
    }

    private static Optional<String> limits(DisruptionControls disruptionControls) {
        return disruptionControls.limits().allowAny()
                ? Optional.empty()
                : Optional.of("its `limits` allow no eviction");
    }

    private static Optional<String> overExceptions(DisruptionControls disruptionControls, Instant now) {
        List<Instant> over =
                ends(disruptionControls).filter(end -> !now.isBefore(end)).toList();
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
    static Optional<Instant> nextChange(DisruptionControls disruptionControls, Instant now) {
        return ends(disruptionControls).filter(now::isBefore).findFirst();
    }

    private static Stream<Instant> ends(DisruptionControls disruptionControls) {
        return disruptionControls.exceptions().stream()
                .map(StandingException::until)
                .flatMap(Optional::stream)
                .sorted(Comparator.naturalOrder());
    }
}

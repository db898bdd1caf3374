package dev.holdfast.operator.reconcile.status;

import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.DisruptionControls.StandingException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Warnings about a valid policy that may not do what its author expects: some of its {@code exceptions} have expired,
 * or its {@code limits} allow no eviction.
 */
public final class SpecWarnings {
    private SpecWarnings() {}

    /**
     * {@return the warnings as text to append to a sentence, such as {@code ; its `limits` allow no eviction}; the
     * empty string if there are none}
     */
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
                        ? "1 of its `exceptions` expired at " + last + " and no longer has an effect"
                        : over.size() + " of its `exceptions` have expired, the last at " + last + ", and no longer"
                                + " have an effect");
    }

    /**
     * {@return when the next of the policy's {@code exceptions} expires, which changes the warnings; empty if none will
     * expire}
     */
    public static Optional<Instant> nextChange(DisruptionControls disruptionControls, Instant now) {
        return ends(disruptionControls).filter(now::isBefore).findFirst();
    }

    private static Stream<Instant> ends(DisruptionControls disruptionControls) {
        return disruptionControls.exceptions().stream()
                .map(StandingException::until)
                .flatMap(Optional::stream)
                .sorted(Comparator.naturalOrder());
    }
}

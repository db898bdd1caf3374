package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Somebody's word that no pod is to be moved: of all namespaces or some, always or in windows, for good or for a while.
 *
 * @param reason why, as the user wrote it
 * @param namespaces whose pods stay; absent is all namespaces
 * @param maintenanceWindows while one is open it applies; none is always
 * @param until when it ends; absent is never
 */
public record Pause(
        String name,
        String reason,
        Optional<LabelMatcher> namespaces,
        List<MaintenanceWindow> maintenanceWindows,
        Optional<Instant> until) {
    public Pause {
        maintenanceWindows = List.copyOf(maintenanceWindows);
    }

    /** {@return the pause of everything, for good: what stands for one that cannot be read} */
    public static Pause ofEverything(String name, String reason) {
        return new Pause(name, reason, Optional.empty(), List.of(), Optional.empty());
    }

    /** How a pause stands at an instant. */
    public sealed interface Standing {
        /**
         * It applies.
         *
         * @param until its end, or that of its open windows and those that follow them at once; absent is never
         */
        record Active(Optional<Instant> until) implements Standing {}

        /**
         * It applies, and one window follows another for as long as can be seen.
         *
         * @param seen until then; when it is to be looked at again
         */
        record Unbroken(Instant seen) implements Standing {}

        /** It was over at that instant, for good. */
        record Expired(Instant at) implements Standing {}

        /**
         * None of its windows is open.
         *
         * @param next when one opens, or the pause ends before that; absent is never
         */
        record OutsideWindow(Optional<Instant> next) implements Standing {}

        /** {@return until when it stands so, as far as time alone changes it} */
        default Optional<Instant> lasts() {
            return switch (this) {
                case Active(Optional<Instant> until) -> until;
                case Unbroken(Instant seen) -> Optional.of(seen);
                case Expired _ -> Optional.empty();
                case OutsideWindow(Optional<Instant> next) -> next;
            };
        }
    }

    /** {@return how it stands} */
    public Standing at(Instant now) {
        if (until.filter(end -> !now.isBefore(end)).isPresent()) {
            return new Standing.Expired(until.get());
        }
        if (maintenanceWindows.isEmpty()) {
            return new Standing.Active(until);
        }
        return switch (NextOpening.after(now, maintenanceWindows, List.of())) {
            case NextOpening.At(Instant end) ->
                end.equals(now)
                        ? new Standing.OutsideWindow(
                                earlier(NextOpening.firstBeginning(maintenanceWindows, now), until))
                        : new Standing.Active(earlier(Optional.of(end), until));
            case NextOpening.NotBefore(Instant seen) ->
                until.filter(end -> !end.isAfter(seen)).isPresent()
                        ? new Standing.Active(until)
                        : new Standing.Unbroken(seen);
            case NextOpening.Never _ -> new Standing.Active(until);
        };
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.filter(it -> other.filter(it::isAfter).isEmpty()).or(() -> other);
    }

    /**
     * {@return whether it speaks of pods in a namespace}
     *
     * @param labels of the namespace; absent where there is no object of it, which is paused by every selector
     */
    public boolean reaches(Optional<Labels> labels) {
        return namespaces.isEmpty() || labels.isEmpty() || namespaces.get().matches(labels.get());
    }

    /**
     * {@return what it has against moving a pod now; empty where it does not apply}
     *
     * @param labels of the pod's namespace, as in {@link #reaches}
     */
    public Optional<Hold> against(Optional<Labels> labels, Instant now) {
        return hold(now).filter(_ -> reaches(labels));
    }

    /** {@return what it has now against moving any pod that it speaks of; empty where it does not apply} */
    public Optional<Hold> hold(Instant now) {
        return switch (at(now)) {
            case Standing.Active(Optional<Instant> end) ->
                Optional.of(hold(end.map(it -> "until " + Hold.second(it)).orElse("until it is deleted"), end));
            case Standing.Unbroken(Instant seen) ->
                Optional.of(hold(
                        "for as long as can be seen: one of its windows is open at any time before " + seen,
                        Optional.of(seen)));
            case Standing.Expired _, Standing.OutsideWindow _ -> Optional.empty();
        };
    }

    private Hold hold(String howLong, Optional<Instant> nextLook) {
        return new Hold(Reason.PAUSED, "EnforcementPause " + name + ": " + reason + "; " + howLong, nextLook);
    }
}

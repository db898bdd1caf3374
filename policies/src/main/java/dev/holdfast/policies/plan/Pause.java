package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Somebody's word that no pod is to be moved: of all namespaces or some, always or in windows, for good or for a while.
 *
 * @param reason why, as the user wrote it
 * @param namespaces whose pods stay; absent is all namespaces
 * @param windows while one is open it applies; none is always
 * @param until when it ends; absent is never
 */
public record Pause(
        String name, String reason, Optional<LabelMatcher> namespaces, List<Window> windows, Optional<Instant> until) {
    public Pause {
        windows = List.copyOf(windows);
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
         * @param until when that is to be looked at again: its end, or that of its open windows; absent is never
         */
        record Active(Optional<Instant> until) implements Standing {}

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
        if (windows.isEmpty()) {
            return new Standing.Active(until);
        }
        return windows.stream()
                .flatMap(window -> window.openUntil(now).stream())
                .max(Comparator.naturalOrder())
                .<Standing>map(close -> new Standing.Active(earlier(Optional.of(close), until)))
                .orElseGet(() -> new Standing.OutsideWindow(earlier(nextWindow(now), until)));
    }

    private Optional<Instant> nextWindow(Instant now) {
        return windows.stream()
                .flatMap(window -> window.opensAfter(now).stream())
                .min(Comparator.naturalOrder());
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
        return at(now) instanceof Standing.Active(Optional<Instant> end) && reaches(labels)
                ? Optional.of(new Hold(Reason.PAUSED, "EnforcementPause " + name + ": " + reason + until(end), end))
                : Optional.empty();
    }

    private static String until(Optional<Instant> end) {
        return end.map(it -> "; until " + it).orElse("; until it is deleted");
    }
}

package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An EnforcementPause: while it applies, no pod of the selected namespaces is evicted. The pause applies until its end
 * time, if it has one. If the pause has maintenance windows, the pause applies only while one of these is open.
 *
 * @param name the name of the EnforcementPause object
 * @param reason the reason that the user gave
 * @param namespaces selects the paused namespaces; absent selects all
 * @param maintenanceWindows the pause applies while one of them is open; empty means always
 * @param until when the pause ends; absent if it never does
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

    /** {@return a pause of all namespaces that never ends; it stands for an EnforcementPause object that is invalid} */
    public static Pause ofEverything(String name, String reason) {
        return new Pause(name, reason, Optional.empty(), List.of(), Optional.empty());
    }

    /** The state of a pause at an instant. */
    public sealed interface State {
        /**
         * The pause applies.
         *
         * @param until when the pause ends, or when it first has no open window if that is earlier; absent if neither
         *     ever happens
         */
        record Active(Optional<Instant> until) implements State {}

        /**
         * The pause applies. One of its windows is open at all times up to {@code seen}; later times were not searched.
         *
         * @param seen the end of the searched time, when the state must be computed again
         */
        record Unbroken(Instant seen) implements State {}

        /** The pause ended at the instant {@code at}. */
        record Expired(Instant at) implements State {}

        /**
         * The pause does not apply, because none of its windows is open.
         *
         * @param next when a window opens, or when the pause ends if that is earlier; absent if neither ever happens
         */
        record OutsideWindow(Optional<Instant> next) implements State {}

        /** {@return until when this state lasts if the pause is not edited; empty if forever} */
        default Optional<Instant> lasts() {
            return switch (this) {
                case Active(Optional<Instant> until) -> until;
                case Unbroken(Instant seen) -> Optional.of(seen);
                case Expired _ -> Optional.empty();
                case OutsideWindow(Optional<Instant> next) -> next;
            };
        }
    }

    /** {@return the state of the pause at an instant} */
    public State at(Instant now) {
        if (until.filter(end -> !now.isBefore(end)).isPresent()) {
            return new State.Expired(until.get());
        }
        if (maintenanceWindows.isEmpty()) {
            return new State.Active(until);
        }
        return switch (NextOpening.after(now, maintenanceWindows, List.of())) {
            case NextOpening.At(Instant end) ->
                end.equals(now)
                        ? new State.OutsideWindow(earlier(NextOpening.firstBeginning(maintenanceWindows, now), until))
                        : new State.Active(earlier(Optional.of(end), until));
            case NextOpening.NotBefore(Instant seen) ->
                until.filter(end -> !end.isAfter(seen)).isPresent()
                        ? new State.Active(until)
                        : new State.Unbroken(seen);
            case NextOpening.Never _ -> new State.Active(until);
        };
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.filter(it -> other.filter(it::isAfter).isEmpty()).or(() -> other);
    }

    /**
     * {@return whether the pause selects a namespace}
     *
     * @param labels the labels of the namespace; absent if there is no Namespace object. A namespace without an object,
     *     or with unread labels, counts as selected
     */
    public boolean appliesTo(Optional<Labels> labels) {
        return namespaces.isEmpty() || labels.isEmpty() || namespaces.get().mayMatch(labels.get());
    }

    /**
     * {@return the hold of this pause for the pods of a namespace; empty if the pause does not apply to them now}
     *
     * @param labels the labels of the namespace, as in {@link #appliesTo}
     */
    public Optional<Hold> against(Optional<Labels> labels, Instant now) {
        return hold(now).filter(_ -> appliesTo(labels));
    }

    /**
     * {@return the hold of this pause for all pods in its namespaces, in the engine's time; empty if the pause does not
     * apply now} A pause with windows or an end applies while the wall clock is not trusted.
     *
     * @param now the time by the engine's clock
     */
    public Optional<Hold> hold(WallClock wallClock, Instant now) {
        return countsAsActive(wallClock)
                .map(why -> Hold.untilChange(Reason.PAUSED, named() + reason + "; " + why))
                .or(() -> hold(wallClock.wallTime(now)).map(wallClock::inEngineTime));
    }

    /**
     * {@return why the pause applies whatever its windows and its end say: the wall clock is not trusted; empty if it
     * is trusted, or if the pause has neither windows nor an end}
     */
    public Optional<String> countsAsActive(WallClock wallClock) {
        return maintenanceWindows.isEmpty() && until.isEmpty()
                ? Optional.empty()
                : wallClock.problem().map(why -> "it counts as active: " + why);
    }

    /** {@return until when the state of this pause lasts, in the engine's time; empty if no time ends it} */
    public Optional<Instant> lasts(WallClock wallClock, Instant now) {
        return countsAsActive(wallClock).isPresent()
                ? Optional.empty()
                : at(wallClock.wallTime(now)).lasts().map(wallClock::engineTime);
    }

    /** {@return the hold of this pause for all pods in its namespaces; empty if the pause does not apply now} */
    public Optional<Hold> hold(Instant now) {
        return switch (at(now)) {
            case State.Active(Optional<Instant> end) ->
                Optional.of(hold(end.map(it -> "until " + Hold.second(it)).orElse("until it is deleted"), end));
            case State.Unbroken(Instant seen) ->
                Optional.of(
                        hold("at least until " + seen + ": its windows leave no gap before that", Optional.of(seen)));
            case State.Expired _, State.OutsideWindow _ -> Optional.empty();
        };
    }

    private Hold hold(String howLong, Optional<Instant> nextLook) {
        return new Hold(Reason.PAUSED, named() + reason + "; " + howLong, nextLook);
    }

    /** {@return whether this pause, or an earlier version of it, wrote the message of a hold} */
    public boolean wrote(String message) {
        return message.startsWith(named());
    }

    /** {@return whether this version of a pause opens all windows of another version, which has some} */
    public boolean opensAllOf(Pause before) {
        return !before.maintenanceWindows.isEmpty()
                && !MaintenanceWindow.openMore(maintenanceWindows, before.maintenanceWindows);
    }

    /** {@return a short text that is the same for the same windows, whatever their names; empty without windows} */
    public Optional<String> windowsHash() {
        String windows = maintenanceWindows.stream()
                .map(window ->
                        window.action() + " " + window.schedule() + " " + window.duration() + " " + window.zone())
                .sorted()
                .collect(Collectors.joining("\n"));
        return windows.isEmpty() ? Optional.empty() : Optional.of(Integer.toHexString(windows.hashCode()));
    }

    private String named() {
        return "EnforcementPause " + name + ": ";
    }
}

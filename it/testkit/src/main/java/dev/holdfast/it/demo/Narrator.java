package dev.holdfast.it.demo;

import dev.holdfast.it.demo.SceneObservation.Told;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Tells on the terminal what the operator says in events and status, with the seconds since the beginning. */
final class Narrator {
    private static final int NAME_WIDTH = 18;
    private static final long COUNTDOWN_STEP = 3;
    private static final Set<String> AFTER_THE_POD =
            Set.of("PlacementMoved", "PlacementEvictionFutile", "PlacementNotReplaced");

    private final PrintStream out;
    private final InstantSource clock;
    private final Instant start;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Long> countdowns = new HashMap<>();
    private boolean silent;

    Narrator(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
        this.start = clock.instant();
    }

    /** Tells something that belongs to no scene. */
    synchronized void say(String text) {
        if (!silent) {
            print(text);
        }
    }

    /** Tells something of a scene. */
    void say(String scene, String text) {
        say(String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s %s", scene, text));
    }

    /**
     * Tells something, and nothing else from now on.
     *
     * @param text may take its time
     */
    void lastWords(Supplier<String> text) {
        synchronized (this) {
            silent = true;
        }
        print(text.get());
    }

    private void print(String text) {
        out.printf(Locale.ROOT, "%5.1fs  %s%n", seconds(), text);
    }

    private double seconds() {
        return Duration.between(start, clock.instant()).toMillis() / 1000.0;
    }

    /** Tells every event of a scene that was not told yet. What is told of a pod is not told of its policy again. */
    void follow(String scene, List<Told> events) {
        events.stream()
                .filter(event -> event.kind().equals("Pod") || isOnPolicyOnly(event))
                .filter(event -> told.add(String.join("/", scene, event.reason(), event.name(), "" + event.count())))
                .forEach(event -> say(scene, event.reason() + " " + about(event) + event.message()));
    }

    /** The end of a move concerns those who stay: the pod is gone. */
    private static boolean isOnPolicyOnly(Told event) {
        return event.kind().equals("PlacementPolicy") && AFTER_THE_POD.contains(event.reason());
    }

    /** A policy's event names the pod by itself. */
    private static String about(Told event) {
        return event.kind().equals("Pod") ? event.name() + ": " : "";
    }

    /** Tells now and then how long it is to the deadline. */
    void countDown(String scene, Optional<Instant> deadline) {
        long left = deadline.map(at -> Duration.between(clock.instant(), at).toSeconds())
                .orElse(-1L);
        boolean due = left > 0 && left / COUNTDOWN_STEP != countdowns.getOrDefault(scene, -1L);
        if (due) {
            countdowns.put(scene, left / COUNTDOWN_STEP);
            say(scene, "... " + left + " s of forgiveness left");
        }
    }
}

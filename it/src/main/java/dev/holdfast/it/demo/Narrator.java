package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Event;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tells on the terminal what the operator says in events and status, with the seconds since the beginning. */
final class Narrator {
    private static final int NAME_WIDTH = 18;
    private static final long COUNTDOWN_STEP = 3;

    private final PrintStream out;
    private final InstantSource clock;
    private final Instant start;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Long> countdowns = new HashMap<>();

    Narrator(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
        this.start = clock.instant();
    }

    /** Tells something that belongs to no scene. */
    void say(String text) {
        out.printf(Locale.ROOT, "%5.1fs  %s%n", seconds(), text);
    }

    /** Tells something of a scene. */
    void say(String scene, String text) {
        out.printf(Locale.ROOT, "%5.1fs  %-" + NAME_WIDTH + "s %s%n", seconds(), scene, text);
    }

    private double seconds() {
        return Duration.between(start, clock.instant()).toMillis() / 1000.0;
    }

    /** Tells every event about a pod that was not told yet, and how long the windows still last. */
    void follow(Stage stage) {
        List<Event> events = stage.client()
                .v1()
                .events()
                .inNamespace(stage.namespace())
                .list()
                .getItems();
        events.stream()
                .filter(event -> event.getReason().startsWith("Placement"))
                .filter(event -> event.getInvolvedObject().getKind().equals("Pod"))
                .sorted(Comparator.comparing(event -> event.getMetadata().getCreationTimestamp()))
                .filter(event -> told.add(event.getMetadata().getUid()))
                .forEach(event -> say(
                        stage.namespace(),
                        event.getReason() + " " + event.getInvolvedObject().getName() + ": " + event.getMessage()));
        countdown(stage);
    }

    private void countdown(Stage stage) {
        Optional<Instant> deadline = stage.status("nextDeadlineTime").map(time -> Instant.parse(time.toString()));
        long left = deadline.map(at -> Duration.between(clock.instant(), at).toSeconds())
                .orElse(-1L);
        boolean due = left > 0 && left / COUNTDOWN_STEP != countdowns.getOrDefault(stage.namespace(), -1L);
        if (due) {
            countdowns.put(stage.namespace(), left / COUNTDOWN_STEP);
            say(stage.namespace(), "... " + left + " s of forgiveness left");
        }
    }
}

package dev.holdfast.operator.offline.demo;

import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import dev.holdfast.operator.offline.demo.SceneResult.AsExpected;
import dev.holdfast.operator.offline.demo.SceneResult.Difference;
import dev.holdfast.operator.offline.demo.SceneResult.NotAsExpected;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The printer of the demo. Each scene is printed as a whole, once it and all scenes before it have ended, although all
 * run at the same time on a local control plane. Meanwhile a terminal shows how much of the forgiveness is left.
 */
public final class Narrator {
    /** Why the first evictions come later than the forgiveness says. */
    public static final String FIRST_WATCH = "after a start the operator watches for 30 s before it evicts; otherwise"
            + " it would act at once on what it sees first";

    private static final String MARGIN = " ".repeat(SceneStory.MARGIN);

    private final PrintWriter out;
    private final InstantSource clock;
    private final Instant start;
    private final TerminalCapabilities terminal;
    private final Detail detail;
    private final Map<String, SceneLog> scenes = new LinkedHashMap<>();
    private String live = "";
    private int ended;
    private boolean silent;

    /** How much to print about each scene. */
    public enum Detail {
        SUMMARY,
        /** The summary of the scene, then the full text of each of the operator's Kubernetes events. */
        ALL_EVENTS
    }

    /**
     * Creates a printer.
     *
     * @param clock the time of what happens, from which the time since the start of the demo is counted
     * @param terminal the capabilities of the device that shows {@code out}
     */
    public Narrator(PrintWriter out, InstantSource clock, TerminalCapabilities terminal, Detail detail) {
        this.out = out;
        this.clock = clock;
        this.start = clock.instant();
        this.terminal = terminal;
        this.detail = detail;
    }

    private double second() {
        return Duration.between(start, clock.instant()).toMillis() / 1000.0;
    }

    /** Prints the time since the start of the demo and then the text, in wrapped lines. */
    public synchronized void say(String text) {
        if (!silent) {
            sayNow(text);
        }
    }

    /** Prints all lines of the text with one call, so that no reader sees only some of them. */
    private void sayNow(String text) {
        String first = SceneStory.time(second());
        String margin = " ".repeat(first.length());
        String lines = text.lines()
                .flatMap(line -> Columns.wrap(line, Columns.WIDTH - margin.length()).stream())
                .collect(Collectors.joining("\n" + margin));
        print(first + lines);
    }

    /**
     * Prints the text as the last output: everything else is discarded from now on.
     *
     * @param text computes the text; may take a while
     */
    public void lastWords(Supplier<String> text) {
        synchronized (this) {
            silent = true;
            clear();
        }
        sayNow(text.get());
    }

    /** Takes all scenes, in the order in which they will be printed, and prints the heading of the first. */
    public synchronized void begin(List<Scene> all) {
        all.forEach(scene -> scenes.put(scene.name(), new SceneLog(scene)));
        heading();
    }

    /**
     * Records the current state of a scene, and updates the countdown in a terminal.
     *
     * @param events the operator's Kubernetes events so far, in the order in which they were last written
     * @param moves the moves that have ended, newest first
     */
    public synchronized void follow(String scene, List<PlacementEvent> events, List<EndedMove> moves) {
        log(scene).add(second(), events, moves);
        showLive();
    }

    /** Records how a scene ended, and prints the scene once all scenes before it have ended. */
    public synchronized void end(String scene, SceneResult sceneResult) {
        log(scene).end(sceneResult);
        while (ended < scenes.size() && current().sceneResult().isPresent()) {
            current().sceneResult().ifPresent(it -> print(current(), it));
            ended++;
            heading();
        }
        showLive();
    }

    /** Prints how a scene that had ended as expected now differs from its expected ending. */
    public synchronized void revoke(String scene, List<Difference> differences) {
        log(scene).end(new NotAsExpected(differences));
        write("");
        write(terminal.bold(scene + ", afterwards"));
        notAsExpected(differences);
    }

    /** Prints whether all scenes ended as expected; with {@code ALL_EVENTS}, also the events not printed so far. */
    public synchronized void conclude(boolean allStayedSo) {
        if (detail == Detail.ALL_EVENTS) {
            scenes.values().forEach(this::events);
        }
        List<String> wrong = scenes.values().stream()
                .filter(log ->
                        log.sceneResult().filter(AsExpected.class::isInstance).isEmpty())
                .map(log -> log.scene().name())
                .toList();
        write("");
        if (!wrong.isEmpty()) {
            write(terminal.red(wrong.size() + " of " + scenes.size() + " scenes did not end as expected: "
                    + String.join(", ", wrong)));
        } else if (allStayedSo) {
            write(terminal.green("All " + scenes.size() + " scenes ended as expected."));
        } else {
            write(terminal.red("All " + scenes.size() + " scenes ended as expected, but too late or not for long."));
        }
    }

    /** Prints lines as they are. */
    public synchronized void write(List<String> lines) {
        lines.forEach(this::write);
    }

    /** Erases the line with the countdown in the terminal, so that something else can be printed. */
    public synchronized void clear() {
        if (!live.isEmpty()) {
            out.print("\r" + " ".repeat(live.length()) + "\r");
            out.flush();
            live = "";
        }
    }

    private SceneLog log(String scene) {
        SceneLog log = scenes.get(scene);
        if (log == null) {
            throw new IllegalArgumentException("no scene " + scene);
        }
        return log;
    }

    private SceneLog current() {
        return new ArrayList<>(scenes.values()).get(ended);
    }

    private void heading() {
        if (ended < scenes.size()) {
            Scene scene = current().scene();
            write("");
            write(terminal.bold(Columns.shorten(
                    (ended + 1) + "/" + scenes.size() + " " + scene.name() + ": " + scene.title(), Columns.WIDTH)));
        }
    }

    private void print(SceneLog log, SceneResult sceneResult) {
        new SceneStory(log.scene().name(), log.events(), log.moves()).lines().forEach(this::write);
        switch (sceneResult) {
            case AsExpected(String result) ->
                write(terminal.green(Columns.shorten(MARGIN + "=> as expected: " + result, Columns.WIDTH)));
            case NotAsExpected(List<Difference> differences) -> notAsExpected(differences);
        }
        if (detail == Detail.ALL_EVENTS) {
            events(log);
        }
    }

    private void notAsExpected(List<Difference> differences) {
        write(terminal.red(MARGIN + "=> NOT as expected:"));
        differences.forEach(difference -> {
            wrapped("   expected  ", difference.expected());
            wrapped("   seen      ", difference.seen());
        });
    }

    private void wrapped(String keyword, String text) {
        String margin = MARGIN + keyword;
        for (String part : Columns.wrap(text, Columns.WIDTH - margin.length())) {
            write(margin + part);
            margin = " ".repeat(margin.length());
        }
    }

    private void events(SceneLog log) {
        log.newEvents().forEach(seen -> {
            String times = seen.event().count() == 1 ? "" : " (" + seen.event().count() + " times)";
            write(SceneStory.time(seen.second()) + "| " + seen.event().reason() + " "
                    + seen.event().kind() + " "
                    + log.scene().name() + "/" + seen.event().name() + times + ": "
                    + seen.event().message());
        });
    }

    private void showLive() {
        if (terminal.live() && !silent && ended < scenes.size()) {
            String text = MARGIN + current().deadline().map(this::countdown).orElse("waiting for the operator");
            if (!text.equals(live)) {
                out.print("\r" + text + " ".repeat(Math.max(0, live.length() - text.length())));
                out.flush();
                live = text;
            }
        }
    }

    private String countdown(Instant deadline) {
        long left = Duration.between(clock.instant(), deadline).toSeconds();
        return left > 0 ? left + " s of forgiveness left" : "the violation is due";
    }

    private void write(String line) {
        if (!silent) {
            print(line);
        }
    }

    private void print(String line) {
        clear();
        out.print(line + "\n");
        out.flush();
    }
}

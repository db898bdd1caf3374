package dev.holdfast.operator.offline.demo;

import dev.holdfast.operator.offline.demo.SceneResult.AsExpected;
import dev.holdfast.operator.offline.demo.SceneResult.Difference;
import dev.holdfast.operator.offline.demo.SceneResult.NotAsExpected;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The demo on the simulator: the scenes of the real demo as tests of policies, played in virtual time. The files of
 * each test are resources in a folder with the name of the scene.
 */
public final class SimulatedDemo {
    private static final List<String> SCENES =
            List.of("node-affinity", "pod-affinity", "pod-anti-affinity", "topology-spread", "healed", "held");

    private final List<SimulatedScene> played;

    private SimulatedDemo(List<SimulatedScene> played) {
        this.played = List.copyOf(played);
    }

    /** Plays all scenes, which takes some seconds, and returns what happened. */
    public static SimulatedDemo play() {
        return play(SCENES, SimulatedDemo::resource);
    }

    /** Opens a file of a scene. */
    @FunctionalInterface
    interface Files {
        DumpFile.Content content(String scene, String file);
    }

    static SimulatedDemo play(List<String> scenes, Files files) {
        List<SimulatedScene> played = new ArrayList<>();
        for (String scene : scenes) {
            try {
                played.add(SimulatedScene.play(scene, file -> files.content(scene, file)));
            } catch (DumpException e) {
                throw new IllegalStateException("cannot play the scene " + scene + ": " + e.getMessage(), e);
            }
        }
        return new SimulatedDemo(played);
    }

    static DumpFile.Content resource(String scene, String file) {
        return () -> Optional.<InputStream>ofNullable(SimulatedDemo.class.getResourceAsStream(scene + "/" + file))
                .orElseThrow(() -> new FileNotFoundException("no resource " + scene + "/" + file));
    }

    /** {@return the scenes as they ended, in order} */
    public List<Scene> scenes() {
        return played.stream().map(SimulatedScene::scene).toList();
    }

    /**
     * Prints one scene after the other, as the real demo does. Returns whether every scene ended as expected.
     *
     * @param terminal the capabilities of the device that shows {@code out}
     */
    public boolean print(PrintWriter out, TerminalCapabilities terminal, Narrator.Detail detail) {
        AtomicReference<Instant> now = new AtomicReference<>(played.getFirst().start());
        // Virtual time has no countdown.
        Narrator narrator = new Narrator(out, now::get, new TerminalCapabilities(false, terminal.colours()), detail);
        narrator.say("simulated, without a cluster: the operator's own planner plays the scenes in virtual time");
        narrator.say(Narrator.FIRST_WATCH);
        narrator.begin(scenes());
        for (SimulatedScene scene : played) {
            for (SimulatedScene.TimedEvent event : scene.events()) {
                now.set(event.at());
                narrator.follow(scene.name(), List.of(event.event()), scene.moves());
            }
            narrator.end(
                    scene.name(),
                    scene.deviations().isEmpty()
                            ? new AsExpected(scene.result())
                            : new NotAsExpected(scene.deviations().stream()
                                    .map(it -> new Difference("as in " + scene.name() + "/test.yaml", it))
                                    .toList()));
        }
        narrator.conclude(true);
        return played.stream().allMatch(scene -> scene.deviations().isEmpty());
    }
}

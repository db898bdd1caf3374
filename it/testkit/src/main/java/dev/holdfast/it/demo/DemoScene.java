package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.Stage;
import java.util.List;
import java.util.function.Consumer;

/**
 * One rule that breaks.
 *
 * @param name the namespace it plays in
 * @param title what is about to happen, as a sentence
 * @param cast whose pods are looked at
 * @param setting nodes, workloads and the policy {@code keep}
 * @param breach what breaks the rule
 * @param later what happens some seconds into the window; may be nothing
 * @param ending what should have come of it
 */
record DemoScene(
        String name,
        String title,
        Cast cast,
        Consumer<Stage> setting,
        Consumer<Stage> breach,
        Consumer<Stage> later,
        Ending ending) {

    /**
     * The pods of a scene.
     *
     * @param app whose pods have the rule
     * @param pods how many they are
     * @param rolled the apps whose pods are replaced by the breach itself
     */
    record Cast(String app, int pods, List<String> rolled) {}

    /** What should come of a breach. */
    sealed interface Ending {
        /**
         * As many pods are evicted, and their replacements run on a node where the rule holds.
         *
         * @param node its short name
         */
        record Moved(int pods, String node) implements Ending {}

        /** The rule holds again by itself, and nobody is evicted. */
        record Healed() implements Ending {}

        /** The pod stays, for this reason. */
        record Held(String reason) implements Ending {}
    }
}

package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.Stage;
import java.util.List;
import java.util.function.Consumer;

/**
 * One rule that is broken on purpose.
 *
 * @param name of its namespace
 * @param title the rule and what breaks it
 * @param cast the pods that it is about
 * @param setting creates nodes, workloads and the policy {@code keep}
 * @param breach breaks the rule
 * @param later acts some seconds into the forgiveness; may do nothing
 * @param ending the expected ending
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
     * @param app of the pods that have the rule
     * @param pods their number
     * @param rolled the apps whose pods the breach itself replaces
     */
    record Cast(String app, int pods, List<String> rolled) {}

    /** The expected ending of a scene. */
    sealed interface Ending {
        /**
         * The operator evicts this number of pods, and their replacements run on a node where the rule holds.
         *
         * @param node its short name
         */
        record Moved(int pods, String node) implements Ending {}

        /** The rule holds again during the forgiveness, and no pod is evicted. */
        record Healed() implements Ending {}

        /** The pod stays, for this reason. */
        record Held(String reason) implements Ending {}
    }
}

package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.Stage;
import java.util.List;
import java.util.function.Consumer;

/**
 * One scene of the demo: a rule that is broken on purpose, and how the operator should react.
 *
 * @param name the name of the scene and of its namespace
 * @param title the rule and what breaks it
 * @param cast the pods that the scene is about
 * @param setting creates nodes, workloads and the policy {@code keep}
 * @param breach breaks the rule
 * @param later runs some seconds after the rule was broken, during the forgiveness; may do nothing
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
     * The pods that a scene is about.
     *
     * @param app the label {@code app} of the pods that have the rule
     * @param pods the number of pods that have the rule
     * @param rolled the apps whose pods a rollout replaces when the scene breaks the rule; empty in most scenes
     */
    record Cast(String app, int pods, List<String> rolled) {}

    /** The expected ending of a scene. */
    sealed interface Ending {
        /**
         * The operator evicts this number of pods, and their replacements run on the node, where the rule holds.
         *
         * @param node the short name of the node
         */
        record Moved(int pods, String node) implements Ending {}

        /** The rule holds again during the forgiveness, and no pod is evicted. */
        record Healed() implements Ending {}

        /** The violation is held for this reason, so the pod stays where it is. */
        record Held(String reason) implements Ending {}
    }
}

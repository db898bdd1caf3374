package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.offline.demo.Scene;
import java.util.List;
import java.util.function.Consumer;

/**
 * A scene of the demo on a local control plane.
 *
 * @param scene its name, which its namespace has too, its title, and the expected ending
 * @param cast the pods that the scene is about
 * @param setting creates nodes, workloads and the policy {@code keep}
 * @param breach breaks the rule
 * @param later runs some seconds after the rule was broken, during the forgiveness; may do nothing
 */
record DemoScene(Scene scene, Cast cast, Consumer<Stage> setting, Consumer<Stage> breach, Consumer<Stage> later) {

    /**
     * The pods that a scene is about.
     *
     * @param app the label {@code app} of the pods that have the rule
     * @param pods the number of pods that have the rule
     * @param rolled the apps whose pods a rollout replaces when the scene breaks the rule; empty in most scenes
     */
    record Cast(String app, int pods, List<String> rolled) {}

    String name() {
        return scene.name();
    }
}

package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.Stage;
import java.util.function.Consumer;

/**
 * One rule that breaks.
 *
 * @param name the namespace it plays in
 * @param title what is about to happen, as a sentence
 * @param app whose pods are looked at in the end
 * @param pods how many pods it needs before it can begin
 * @param setting nodes, workloads and the policy
 * @param breach what breaks the rule
 * @param later what happens some seconds into the window; may be nothing
 * @param ending what should have come of it
 */
record Scene(
        String name,
        String title,
        String app,
        int pods,
        Consumer<Stage> setting,
        Consumer<Stage> breach,
        Consumer<Stage> later,
        Ending ending) {
    /** What should come of a breach. */
    sealed interface Ending {
        /** As many pods are evicted, and their replacements are ready where the rule holds. */
        record Moved(int evictions) implements Ending {}

        /** The rule holds again by itself, and nobody is evicted. */
        record Healed() implements Ending {}

        /** The pod stays, for this reason. */
        record Held(String reason) implements Ending {}
    }

    /** {@return whether the scene has ended as it should} */
    boolean hasEnded(Stage stage, int evictions) {
        return switch (ending) {
            case Ending.Moved(int wanted) ->
                evictions == wanted
                        && stage.outcomes().size() == wanted
                        && stage.outcomes().stream().allMatch("Moved"::equals)
                        && stage.running(app).size() == pods
                        && violating(stage) == 0;
            case Ending.Healed _ -> evictions == 0 && violating(stage) == 0;
            case Ending.Held(String reason) -> evictions == 0 && stage.holds().contains(reason);
        };
    }

    private static int violating(Stage stage) {
        return stage.status("pods", "violating")
                .map(number -> ((Number) number).intValue())
                .orElse(-1);
    }
}

package dev.holdfast.operator.offline.demo;

import java.util.List;

/**
 * A scene of the demo: a rule that is broken on purpose, and how that ends.
 *
 * @param name the name of the scene and of its namespace
 * @param title the rule and what breaks it
 */
public record Scene(String name, String title, Ending ending) {
    /** The ending of a scene. */
    public sealed interface Ending {
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

    /**
     * {@return the ending in a few words}
     *
     * @param app the label {@code app} of the pods that have the rule
     * @param nodes the short names of the nodes that these pods run on at the end
     */
    public String result(String app, List<String> nodes) {
        String end = switch (ending) {
            case Ending.Moved(int pods, String node) -> pods + (pods == 1 ? " pod" : " pods") + " moved to " + node;
            case Ending.Healed _ -> "the rule holds again, no pod was evicted";
            case Ending.Held(String reason) -> "held for " + reason + ", no pod was evicted";
        };
        return end + "; " + app + " runs on "
                + String.join(", ", nodes.stream().sorted().toList());
    }
}

package dev.holdfast.operator.offline.demo;

import java.util.List;

/** How a scene of the demo ended: as expected or not. */
public sealed interface SceneResult {
    /** The scene ended as expected; the text says in a few words how. */
    record AsExpected(String result) implements SceneResult {}

    /** The scene did not end as expected; the list has at least one difference. */
    record NotAsExpected(List<Difference> differences) implements SceneResult {
        public NotAsExpected {
            differences = List.copyOf(differences);
        }
    }

    /** An expected observation, and what was observed instead, both as text. */
    record Difference(String expected, String seen) {}
}

package dev.holdfast.it.demo;

import java.util.List;

/** How a scene ended. */
sealed interface Verdict {
    /** Everything that the scene should show was observed; the text is the result in a few words. */
    record AsExpected(String result) implements Verdict {}

    /** Something was missing, or should not have happened. */
    record NotAsExpected(List<Difference> differences) implements Verdict {
        public NotAsExpected {
            differences = List.copyOf(differences);
        }
    }

    /** One thing that should have been observed, and what was observed instead. */
    record Difference(String expected, String seen) {}
}

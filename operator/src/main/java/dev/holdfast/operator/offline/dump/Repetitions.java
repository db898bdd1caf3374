package dev.holdfast.operator.offline.dump;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The objects that dumps have more than once, each time with other content. */
final class Repetitions {
    private final Set<String> objects = new HashSet<>();
    private String first = "";

    /**
     * Adds an object that was there before.
     *
     * @param described its kind and name
     * @param file where it is again
     */
    void add(String described, String file) {
        if (objects.isEmpty()) {
            first = described + " is there more than once" + (file.equals(described) ? "" : ", again in " + file);
        }
        objects.add(described);
    }

    /** {@return one sentence about all of them; empty if there are none} */
    Optional<String> warning() {
        return switch (objects.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(first + ": the last one counts");
            default ->
                Optional.of(String.format(
                        Locale.ROOT,
                        "%,d objects are there more than once, with other content each time: the last one of each"
                                + " counts; the first of them: %s",
                        objects.size(),
                        first));
        };
    }
}

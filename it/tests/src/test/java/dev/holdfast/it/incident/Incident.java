package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.evaluate.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One incident folder: {@code cluster.yaml} and {@code policies.yaml} hold the objects, {@code incident.yaml} the steps
 * and the expected results.
 *
 * @param without the hold reasons that are switched off in the second run, which shows the harm that they prevent
 * @param budgetsCount whether the API server checks PodDisruptionBudgets in the second run
 * @param harm the expected state at the end of the second run
 */
record Incident(
        Path folder,
        String story,
        List<Step> steps,
        Duration end,
        List<Look> looks,
        Set<Reason> without,
        boolean budgetsCount,
        Look harm) {
    private static final Path ALL = Path.of("src/test/resources/incidents");

    /** An action, with its arguments, at a time after the start of the incident. */
    record Step(Duration at, String verb, JsonNode arguments) {}

    /**
     * The expected state at a time after the start of the incident. Policies and conditions that it does not name are
     * not checked.
     *
     * @param evicted how many pods of each workload were evicted so far; no pod of an unnamed workload may have been
     * evicted
     * @param fewestReady for each workload, the smallest number of Ready pods so far
     * @param holds for each policy, the number of held violations by hold reason
     * @param conditions for each policy, status and reason of its conditions by type, as in {@code True Valid}
     */
    record Look(
            Duration at,
            Map<String, Integer> evicted,
            Map<String, Integer> fewestReady,
            Map<String, Map<String, Integer>> holds,
            Map<String, Map<String, String>> conditions) {}

    /** {@return all incidents, sorted by name} */
    static Stream<Incident> all() {
        try (Stream<Path> folders = Files.list(ALL)) {
            return folders.sorted().map(Incident::read).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Incident read(Path folder) {
        JsonNode written = Manifests.tree(Manifests.text(folder.resolve("incident.yaml")));
        Duration end = duration(written.path("end"));
        JsonNode without = written.path("without");
        return new Incident(
                folder,
                written.path("story").asText().strip(),
                each(written.path("steps")).map(Incident::step).toList(),
                end,
                each(written.path("expected")).map(it -> look(it, end)).toList(),
                reasons(without.path("reasons")),
                without.path("budgets").asText().isEmpty(),
                look(without, end));
    }

    private static Step step(JsonNode written) {
        String verb = written.properties().stream()
                .map(Map.Entry::getKey)
                .filter(it -> !it.equals("at"))
                .findFirst()
                .orElseThrow();
        return new Step(duration(written.path("at")), verb, written.path(verb));
    }

    private static Look look(JsonNode written, Duration end) {
        Map<String, Map<String, Integer>> holds = new TreeMap<>();
        written.path("holds").properties().forEach(it -> holds.put(it.getKey(), numbers(it.getValue())));
        Map<String, Map<String, String>> conditions = new TreeMap<>();
        written.path("conditions").properties().forEach(it -> conditions.put(it.getKey(), texts(it.getValue())));
        return new Look(
                written.has("at") ? duration(written.path("at")) : end,
                numbers(written.path("evicted")),
                numbers(written.path("fewestReady")),
                holds,
                conditions);
    }

    private static Set<Reason> reasons(JsonNode written) {
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        each(written)
                .map(label -> Arrays.stream(Reason.values())
                        .filter(it -> it.label().equals(label.asText()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no reason is called " + label)))
                .forEach(reasons::add);
        return reasons;
    }

    static Stream<JsonNode> each(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static Map<String, Integer> numbers(JsonNode written) {
        Map<String, Integer> numbers = new TreeMap<>();
        written.properties()
                .forEach(it -> numbers.put(it.getKey(), it.getValue().intValue()));
        return numbers;
    }

    private static Map<String, String> texts(JsonNode written) {
        Map<String, String> texts = new TreeMap<>();
        written.properties().forEach(it -> texts.put(it.getKey(), it.getValue().asText()));
        return texts;
    }

    /** {@return a duration written as {@code 90s}, {@code 10m} or {@code 1h30m}} */
    static Duration duration(JsonNode written) {
        return Duration.parse("PT" + written.asText().toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return folder.getFileName().toString().replace('-', ' ');
    }
}

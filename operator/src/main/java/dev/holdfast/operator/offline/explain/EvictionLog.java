package dev.holdfast.operator.offline.explain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.explain.PolicyRecords.PastEviction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The audit log of the operator: one JSON object on each line, as docs/observing.md describes it.
 *
 * @param entries the requested lines, in the order of the file
 * @param unread how many lines are no entries of an audit log
 */
public record EvictionLog(List<PastEviction> entries, int unread) {
    private static final Set<String> EVENTS = Set.of("Requested", "Answered", "Ended");

    public EvictionLog {
        entries = List.copyOf(entries);
    }

    /**
     * {@return the entries of an audit log that pass a test}
     *
     * @throws DumpException if the file cannot be read to its end, or no line is an entry
     */
    public static EvictionLog read(DumpFile file, Predicate<PastEviction> asked) throws DumpException {
        ObjectMapper json = new ObjectMapper();
        List<PastEviction> entries = new ArrayList<>();
        int unread = 0;
        int read = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(file.content().open(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode entry = tree(json, line);
                if (!EVENTS.contains(entry.path("event").asText()) || !entry.hasNonNull("plan")) {
                    unread += line.isBlank() ? 0 : 1;
                    continue;
                }
                read++;
                PastEviction past = entry(entry);
                if (asked.test(past)) {
                    entries.add(past);
                }
            }
        } catch (IOException e) {
            throw new DumpException(file.name() + ": cannot read it: " + e.getMessage(), e);
        }
        if (read == 0) {
            throw new DumpException(file.name() + ": no line is an entry of the operator's audit log");
        }
        return new EvictionLog(entries, unread);
    }

    private static JsonNode tree(ObjectMapper json, String line) {
        try {
            return json.readTree(line);
        } catch (JsonProcessingException _) {
            return json.createObjectNode();
        }
    }

    private static PastEviction entry(JsonNode entry) {
        boolean ended = text(entry, "event").equals("Ended");
        return new PastEviction(
                text(entry, "time"),
                text(entry, "event"),
                text(entry, "namespace") + "/" + text(entry, "pod"),
                text(entry, "policy"),
                text(entry, "rule"),
                text(entry, "node"),
                ended ? text(entry, "toNode") : text(entry, "target"),
                ended ? text(entry, "outcome") : text(entry, "answer"),
                entry.hasNonNull("message") ? text(entry, "message") : text(entry, "causeDetail"));
    }

    private static String text(JsonNode entry, String field) {
        return entry.path(field).asText();
    }
}

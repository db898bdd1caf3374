package dev.holdfast.it.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes reports as JSON: names as in the records. */
public final class ReportFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ReportFile() {}

    /** Writes the report, and the folder of the file if there is none. */
    public static void write(Path file, Record report) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, json(report) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    static String json(Record report) {
        try {
            return JSON.writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report can always be written", e);
        }
    }
}

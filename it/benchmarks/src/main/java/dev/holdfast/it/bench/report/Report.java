package dev.holdfast.it.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The result of a bench. As a file it is JSON, whose keys are the names of the record components.
 *
 * @param raw every sample from which the figures were computed
 */
public record Report(RunInfo run, List<Figure> figures, Record raw) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .registerModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance));

    public Report {
        figures = List.copyOf(figures);
    }

    /** {@return the figures as text for a terminal, without a line break at the end} */
    public String text() {
        Table table = new Table().row("", "figure", "measured", "goal", "stretch", "", "samples");
        figures.forEach(figure -> table.row(figure.cells()));
        return run + "\n\n" + table.text();
    }

    /** Writes the report as JSON, and creates the folder if it is missing. */
    public void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, json() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report can always be written", e);
        }
    }
}

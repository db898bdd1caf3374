package dev.holdfast.it.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a bench, which grows while it measures. As a file it is JSON. */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .registerModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance));

    private final String run;
    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, Object> raw = new LinkedHashMap<>();

    /**
     * A report without figures.
     *
     * @param run when, where and by which command the bench runs
     */
    public Report(String run) {
        this.run = run;
    }

    /** Adds figures as the next rows of the table. */
    public void add(Figure... more) {
        figures.addAll(List.of(more));
    }

    /** Adds samples to the file under this name, and returns them. */
    public <T> T raw(String name, T samples) {
        raw.put(name, samples);
        return samples;
    }

    /** {@return the figures so far, in the order of the table} */
    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    /** {@return the figures as text for a terminal, without a line break at the end} */
    public String text() {
        Table table = new Table("", "FIGURE", "MEASURED", "GOAL", "", "SAMPLES");
        figures.forEach(it ->
                table.row(it.section(), it.name(), it.unit().print(it.value()), it.goal(), it.verdict(), it.note()));
        return run + "\n\n" + String.join("\n", table.lines(LineWidth.UNLIMITED));
    }

    /** Writes the report as JSON, and creates the folder if it is missing. */
    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        JSON.writeValue(file.toFile(), Map.of("run", run.split("\n"), "figures", figures, "raw", raw));
    }
}

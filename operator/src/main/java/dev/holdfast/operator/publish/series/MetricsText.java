package dev.holdfast.operator.publish.series;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes metrics in the Prometheus text format, version 0.0.4. Needs no memory but the text. Not thread-safe. */
public final class MetricsText {
    private final ByteArrayOutputStream out;
    private String header = "";

    /** Creates a writer that appends to these bytes. */
    public MetricsText(ByteArrayOutputStream out) {
        this.out = out;
    }

    /** Begins the next metric. A metric without series is not written. */
    void metric(String name, MetricType type, String help) {
        header = "# HELP " + name + " " + help + "\n# TYPE " + name + " "
                + type.name().toLowerCase(Locale.ROOT) + "\n";
    }

    /**
     * Writes a series of the metric that was begun last.
     *
     * @param name the name of the metric; of a histogram, with the suffix of the series
     * @param labels the labels as {@link #label} returns them, separated by commas
     */
    void series(String name, String labels, double value) {
        series(name, labels, text(value));
    }

    /** Writes a series whose value is a number of things, as {@link #series}. */
    void number(String name, String labels, long value) {
        series(name, labels, (double) value);
    }

    /** Writes a series whose value is a whole number: a bucket or the count of a histogram. */
    void whole(String name, String labels, long value) {
        series(name, labels, Long.toString(value));
    }

    private void series(String name, String labels, String value) {
        if (!header.isEmpty()) {
            write(header);
            header = "";
        }
        write(name + "{" + labels + "} " + value + "\n");
    }

    /** {@return one label with its value} */
    static String label(String name, String value) {
        return name + "=\"" + escaped(value) + "\"";
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String text(double value) {
        return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
    }

    private void write(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.holdfast.operator.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the running Holdfast build. */
public final class BuildVersion {
    private static final String FILE = "/META-INF/holdfast/version.properties";

    private BuildVersion() {}

    /** {@return the Maven version; {@code unknown} if the build did not record it} */
    public static String get() {
        try (InputStream file = BuildVersion.class.getResourceAsStream(FILE)) {
            Properties properties = new Properties();
            if (file != null) {
                properties.load(file);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + FILE, e);
        }
    }
}

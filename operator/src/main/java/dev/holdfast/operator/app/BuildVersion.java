package dev.holdfast.operator.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the running Holdfast build, and the commit of its source. */
public final class BuildVersion {
    private static final String FOLDER = "/META-INF/holdfast/";
    private static final String UNKNOWN = "unknown";

    private BuildVersion() {}

    /** {@return the Maven version; {@code unknown} if the build did not record it} */
    public static String get() {
        return read("version.properties", "version");
    }

    /**
     * {@return the commit of the source; it ends in {@code -changed} if the source had changes; {@code unknown} if it
     * was built outside of git}
     */
    public static String commit() {
        return read("commit.properties", "commit");
    }

    /** {@return the time of the commit, as 2026-11-20T12:00:00Z; {@code unknown} if it was built outside of git} */
    public static String date() {
        return read("commit.properties", "date");
    }

    private static String read(String file, String key) {
        try (InputStream read = BuildVersion.class.getResourceAsStream(FOLDER + file)) {
            Properties properties = new Properties();
            if (read != null) {
                properties.load(read);
            }
            return properties.getProperty(key, UNKNOWN);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + FOLDER + file, e);
        }
    }
}

package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log file, as text for messages. */
final class LogTail {

    private LogTail() {}

    /** {@return at most the given number of last lines, joined; empty if the file does not exist} */
    static String of(Path log, int lines) {
        if (!Files.exists(log)) {
            return "";
        }
        try {
            // A decoder that replaces malformed bytes: a killed process may leave half a character at the end.
            List<String> all = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(cannot read " + log + ": " + e.getMessage() + ")";
        }
    }
}

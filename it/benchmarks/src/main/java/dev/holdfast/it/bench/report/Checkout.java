package dev.holdfast.it.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Git version of the measured source tree.
 *
 * @param commit the Git commit, or {@code unknown} outside a Git checkout
 * @param changed whether files of the checkout differ from that commit
 */
public record Checkout(String commit, boolean changed) {
    /** {@return the version of the checkout in a folder} */
    public static Checkout of(Path root) {
        try {
            String commit = git(root, "rev-parse", "HEAD");
            return commit.isEmpty()
                    ? new Checkout("unknown", false)
                    : new Checkout(commit, !git(root, "status", "--porcelain").isEmpty());
        } catch (IOException _) {
            return new Checkout("unknown", false);
        }
    }

    /** Runs a git command and returns its output; empty if it failed. */
    private static String git(Path root, String... arguments) throws IOException {
        List<String> command =
                Stream.concat(Stream.of("git"), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** {@return the abbreviated commit, marked if files differ from it} */
    @Override
    public String toString() {
        return commit.substring(0, Math.min(commit.length(), 10)) + (changed ? " with changes" : "");
    }
}

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records the commit that is built: {@code java Commit.java ROOT FILE}. FILE gets the properties {@code commit} and
 * {@code date}, or none of them if ROOT is not the folder of a git repository.
 */
public final class Commit {
    private Commit() {}

    /** Writes the file, unless it has this text already. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]).toRealPath();
        Path file = Path.of(arguments[1]);
        String text = git(root, "rev-parse", "--show-toplevel")
                        .filter(folder -> Path.of(folder).equals(root))
                        .isPresent()
                ? "commit="
                        + git(root, "describe", "--always", "--dirty=-changed", "--abbrev=40", "--exclude=*")
                                .orElseThrow()
                        + "\ndate="
                        + Instant.ofEpochSecond(Long.parseLong(
                                git(root, "log", "-1", "--format=%ct").orElseThrow()))
                        + "\n"
                : "";
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
    }

    /** {@return what git prints; empty if it fails or there is no git} */
    private static Optional<String> git(Path root, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        Process git;
        try {
            git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noGit) {
            return Optional.empty();
        }
        String printed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    }
}

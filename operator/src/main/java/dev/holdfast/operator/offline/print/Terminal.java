package dev.holdfast.operator.offline.print;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal of a process, if its output goes to one.
 *
 * <p>{@link Console#isTerminal} asks whether standard input and standard output both are terminals. Here each stream
 * counts for itself, so that {@code kubectl get ... | holdfast check -f -} prints to a terminal too.
 */
public final class Terminal {
    private static final Pattern DEVICE = Pattern.compile("/dev/(?:pts/\\d+|tty.*|console)");

    /** What {@code stty size} prints: rows and columns. */
    private static final Pattern SIZE = Pattern.compile("\\d+ (\\d{1,5})\\s*");

    private static final Pattern COLUMNS = Pattern.compile("\\d{1,5}");

    /** A terminal answers at once. */
    private static final int PATIENCE_SECONDS = 1;

    private static final String STANDARD_OUTPUT = "1";
    private static final String STANDARD_ERROR = "2";

    private final Path files;
    private final Map<String, String> environment;

    /**
     * @param files the folder with a link to each open file of the process: {@code /proc/self/fd}; without such a
     *     folder, the console decides for both streams
     * @param environment the environment variables; {@code COLUMNS} sets the width of the terminal
     */
    public Terminal(Path files, Map<String, String> environment) {
        this.files = files;
        this.environment = Map.copyOf(environment);
    }

    /**
     * {@return the width of lines on standard output: that of the terminal; unlimited if it is not known, and for a
     * file or a pipe}
     */
    public LineWidth width() {
        if (!showsOutput()) {
            return LineWidth.UNLIMITED;
        }
        OptionalInt given = positive(COLUMNS.matcher(environment.getOrDefault("COLUMNS", "")), 0);
        OptionalInt columns = given.isPresent() ? given : size();
        return columns.isPresent() ? new LineWidth(columns.getAsInt()) : LineWidth.UNLIMITED;
    }

    /** {@return whether standard output is a terminal} */
    public boolean showsOutput() {
        return isTerminal(STANDARD_OUTPUT);
    }

    /**
     * {@return whether text on standard output may have colors: on a terminal that has some, unless the environment
     * variable {@code NO_COLOR} is set} Source: no-color.org.
     */
    public boolean showsColors() {
        return showsOutput()
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** {@return whether standard error is a terminal, so that a person sees progress at once} */
    public boolean showsErrors() {
        return isTerminal(STANDARD_ERROR);
    }

    /** {@return whether standard output is a pipe; false if that is not known} */
    public boolean isPipe() {
        return opened(STANDARD_OUTPUT).startsWith("pipe:");
    }

    private boolean isTerminal(String number) {
        if (!Files.isDirectory(files)) {
            return Optional.ofNullable(System.console())
                    .filter(Console::isTerminal)
                    .isPresent();
        }
        return DEVICE.matcher(opened(number)).matches();
    }

    /** {@return what a stream goes to; empty if that is not known} */
    private String opened(String number) {
        try {
            return Files.readSymbolicLink(files.resolve(number)).toString();
        } catch (IOException _) {
            return "";
        }
    }

    /** {@return the columns of the terminal; empty if it does not say} Java cannot ask the terminal itself. */
    private OptionalInt size() {
        File device = Files.isDirectory(files) ? files.resolve(STANDARD_OUTPUT).toFile() : new File("/dev/tty");
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(device)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return OptionalInt.empty();
            }
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return positive(SIZE.matcher(size), 1);
        } catch (IOException _) {
            return OptionalInt.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    private static OptionalInt positive(Matcher number, int group) {
        int found = number.matches() ? Integer.parseInt(number.group(group)) : 0;
        return found > 0 ? OptionalInt.of(found) : OptionalInt.empty();
    }
}

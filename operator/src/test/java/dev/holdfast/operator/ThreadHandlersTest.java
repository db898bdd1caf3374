package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each thread that the product makes has a handler for its death, or a reason to have none. */
class ThreadHandlersTest {
    private static final Path SOURCES = Path.of("src", "main", "java");

    private static final Pattern BUILDER = Pattern.compile("Thread\\.of(?:Virtual|Platform)\\(\\)");
    private static final Pattern CALL = Pattern.compile("\\s*\\.(\\w+)\\(");

    /** The classes that make a thread without setting its handler at the same place, and why. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "BoundedAppender", "the default handler ends the process; the log starts before anything else",
            "CommandLifetime", "its threads end the process",
            "CompleteCommand", "its task keeps the exception, and only names are lost",
            "Concurrently", "the caller gets the exception",
            "ConnectionThreads", "sets the handler in a method that gets the builder",
            "EffectReporter", "gets the handler when it starts the thread",
            "PartialSummary", "its threads print the last line of a process that ends",
            "PlayProgress", "its executor keeps the exception, and only progress is lost",
            "SingleObjectReader", "the caller gets the exception");

    @Test
    void eachThreadHasAHandlerForItsDeath() throws IOException {
        TreeSet<String> without = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                if (buildsWithoutHandler(Files.readString(file))) {
                    without.add(file.getFileName().toString().replace(".java", ""));
                }
            }
        }

        assertThat(without).containsExactlyElementsOf(new TreeSet<>(EXCEPTIONS.keySet()));
    }

    @Test
    void aHandlerCountsOnlyInTheSameChain() {
        assertThat(buildsWithoutHandler("Thread.ofVirtual().name(\"a (b)\").uncaughtExceptionHandler(h).start(r);"))
                .isFalse();
        assertThat(buildsWithoutHandler("Thread.ofVirtual().start(() -> other.uncaughtExceptionHandler(h));"))
                .isTrue();
        assertThat(buildsWithoutHandler("Thread.ofPlatform().start(r); other.uncaughtExceptionHandler(h);"))
                .isTrue();
    }

    private static boolean buildsWithoutHandler(String source) {
        Matcher builder = BUILDER.matcher(source);
        return builder.results().anyMatch(found -> !chain(source, found.end()).contains("uncaughtExceptionHandler"));
    }

    /** {@return the names of the methods that are called one after the other from this place on} */
    private static List<String> chain(String source, int from) {
        List<String> names = new ArrayList<>();
        Matcher call = CALL.matcher(source).region(from, source.length());
        while (call.lookingAt()) {
            names.add(call.group(1));
            call.region(closing(source, call.end()), source.length());
        }
        return names;
    }

    /** {@return the place behind the bracket that closes the one before this place} */
    private static int closing(String source, int from) {
        int open = 1;
        int at = from;
        while (open > 0) {
            char next = source.charAt(at++);
            open += next == '(' ? 1 : next == ')' ? -1 : 0;
        }
        return at;
    }
}

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Formats every Java source of the repository, or checks that all are formatted.
 *
 * <p>Run by the root pom in the JDK that compiles, since the formatter parses with the compiler of the JVM it runs in.
 * Arguments: {@code check} or {@code write}, the root of the repository, and a file that remembers the digests of
 * formatted sources, so that a source is parsed again only when it has changed.
 */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(Style.PALANTIR).build());

    private static final int MOST_ROUNDS = 5;

    private final Path root;
    private final boolean write;
    private final Set<String> known;
    private final Set<String> formatted = new ConcurrentSkipListSet<>();

    private Format(Path root, boolean write, Set<String> known) {
        this.root = root;
        this.write = write;
        this.known = known;
    }

    static void main(String... args) throws IOException {
        Path memory = Path.of(args[2]);
        Set<String> known = Files.exists(memory) ? Set.copyOf(Files.readAllLines(memory)) : Set.of();
        Format format = new Format(Path.of(args[1]).toRealPath(), args[0].equals("write"), known);
        List<String> wrong = format.sources().parallelStream()
                .flatMap(path -> format.visit(path).stream())
                .toList();
        Files.createDirectories(memory.getParent());
        Files.write(memory, format.formatted);
        if (!wrong.isEmpty()) {
            System.err.println("[ERROR] Not formatted: " + String.join(", ", wrong)
                    + "; mvn -q -N validate -Pformat formats them");
            System.exit(1);
        }
    }

    private Set<Path> sources() throws IOException {
        Set<Path> sources = new TreeSet<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean ours = !name.equals("target") && (!name.startsWith(".") || name.equals(".ci"));
                return ours || directory.equals(root) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }

    /** {@return the path, with the reason where it cannot be parsed, of a source that is still not formatted} */
    private Optional<String> visit(Path path) {
        try {
            String source = Files.readString(path);
            if (known.contains(digest(source))) {
                formatted.add(digest(source));
                return Optional.empty();
            }
            String wanted = write ? settled(source) : FORMATTER.formatSourceAndFixImports(source);
            if (write && !wanted.equals(source)) {
                Files.writeString(path, wanted);
                System.out.println("formatted " + root.relativize(path));
            }
            if (write || wanted.equals(source)) {
                formatted.add(digest(wanted));
                return Optional.empty();
            }
            return Optional.of(root.relativize(path).toString());
        } catch (FormatterException unparsed) {
            return Optional.of(root.relativize(path) + " (" + unparsed.getMessage() + ")");
        } catch (IOException unread) {
            throw new UncheckedIOException("read or write " + path, unread);
        }
    }

    /** The formatter changes some sources again when it reads what it wrote. */
    private static String settled(String source) throws FormatterException {
        String before = source;
        String after = FORMATTER.formatSourceAndFixImports(source);
        for (int i = 0; i < MOST_ROUNDS && !after.equals(before); i++) {
            before = after;
            after = FORMATTER.formatSourceAndFixImports(before);
        }
        return after;
    }

    private static String digest(String source) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(source.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}

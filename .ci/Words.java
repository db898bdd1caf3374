import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks that docs, comments and messages contain no word of {@code .ci/words.txt}, which lists better ones.
 *
 * <p>Reads Markdown, YAML, templates and scripts whole, of Java sources the comments, and of those in {@code src/main}
 * the string literals too. Argument: the root of the repository. Names file and line of each finding and exits with 1.
 */
final class Words {
    private static final Set<String> SUFFIXES = Set.of("md", "yaml", "yml", "json", "txt", "tpl", "sh", "xml");
    private static final Pattern TOKEN = Pattern.compile("(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*)"
            + "|(?<text>\"\"\"[\\s\\S]*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\")"
            + "|'(?:\\\\.|[^'\\\\\\n])*'");

    /** A pattern that must not occur, and what to write instead. */
    private record Banned(Pattern pattern, String better) {
        /** Reads {@code pattern => better words => a text that the pattern must find}. */
        static Banned of(String line) {
            String[] parts = line.split(" => ");
            if (parts.length != 3) {
                throw new IllegalArgumentException(".ci/words.txt: needs 'pattern => better => example': " + line);
            }
            // Prose is wrapped: a phrase may stand on two lines, with the mark of a comment between them.
            Pattern pattern = Pattern.compile(
                    "\\b(?:" + parts[0].replace(" ", "(?:\\s|\\*|#|//)+") + ")\\b", Pattern.CASE_INSENSITIVE);
            if (!pattern.matcher(parts[2]).find()) {
                throw new IllegalArgumentException(".ci/words.txt: the pattern does not find its example: " + line);
            }
            return new Banned(pattern, parts[1]);
        }
    }

    private final Path root;
    private final List<Banned> banned = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    private Words(Path root) throws IOException {
        this.root = root;
        for (String line : Files.readAllLines(root.resolve(".ci/words.txt"))) {
            if (line.startsWith("skip ")) {
                skipped.add(line.substring("skip ".length()).strip());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                banned.add(Banned.of(line));
            }
        }
    }

    static void main(String... args) throws IOException {
        Words words = new Words(Path.of(args[0]).toRealPath());
        Set<Path> files = words.files();
        files.forEach(words::read);
        words.findings.forEach(System.err::println);
        if (!words.findings.isEmpty()) {
            System.err.println("[ERROR] " + words.findings.size() + " texts in " + files.size()
                    + " files need better words: see above and .ci/words.txt");
            System.exit(1);
        }
    }

    private Set<Path> files() throws IOException {
        Set<Path> files = new TreeSet<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String path = root.relativize(directory).toString();
                String name = directory.getFileName().toString();
                boolean left = name.equals("target") || name.startsWith(".") || skipped.contains(path);
                return left && !directory.equals(root) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                String suffix = name.substring(name.lastIndexOf('.') + 1);
                boolean script = !name.contains(".") && Files.isExecutable(file);
                if ((suffix.equals("java") || SUFFIXES.contains(suffix) || script)
                        && !skipped.contains(root.relativize(file).toString())) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private void read(Path file) {
        try {
            String source = Files.readString(file);
            if (!file.toString().endsWith(".java")) {
                check(file, source, source, 0);
                return;
            }
            boolean messages = file.toString().contains("/src/main/");
            Matcher token = TOKEN.matcher(source);
            while (token.find()) {
                if (token.group("comment") != null || (messages && token.group("text") != null)) {
                    check(file, source, token.group(), token.start());
                }
            }
        } catch (IOException unread) {
            throw new UncheckedIOException("read " + file, unread);
        }
    }

    private void check(Path file, String source, String text, int start) {
        for (Banned word : banned) {
            Matcher matcher = word.pattern().matcher(text);
            while (matcher.find()) {
                try (Stream<String> before =
                        source.substring(0, start + matcher.start()).lines()) {
                    long line = Math.max(1, before.count());
                    findings.add("%s:%d: '%s': better: %s"
                            .formatted(
                                    root.relativize(file),
                                    line,
                                    matcher.group().replaceAll("\\s+", " "),
                                    word.better()));
                }
            }
        }
    }
}

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that docs, comments, identifiers and messages contain no word of {@code .ci/words.txt}, which lists better
 * ones.
 *
 * <p>Reads Markdown, YAML, templates and scripts whole, of Java sources the comments and the words of identifiers, and
 * of those in {@code src/main} the string literals too. Argument: the root of the repository. Names file and line of
 * each finding and exits with 1.
 */
final class Words {
    private static final Set<String> SUFFIXES = Set.of("md", "yaml", "yml", "json", "txt", "tpl", "sh", "xml");
    private static final Pattern TOKEN = Pattern.compile("(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*)"
            + "|(?<text>\"\"\"[\\s\\S]*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\")"
            + "|'(?:\\\\.|[^'\\\\\\n])*'"
            + "|(?<name>[A-Za-z_$][A-Za-z0-9_$]*)");

    /** Where a word of an identifier ends: {@code evictsAnew}, {@code NO_CPUs}, {@code HTTPServer}. */
    private static final Pattern NAME_PARTS = Pattern.compile("_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

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
            if (parts[2].matches("[a-z ]+")
                    && !pattern.matcher(words(name(parts[2]))).find()) {
                throw new IllegalArgumentException(".ci/words.txt: not found in an identifier: " + name(parts[2]));
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
                check(file, source, 1);
                return;
            }
            boolean messages = file.toString().contains("/src/main/");
            Matcher token = TOKEN.matcher(source);
            int line = 1;
            int counted = 0;
            while (token.find()) {
                line += newlines(source.substring(counted, token.start()));
                counted = token.start();
                String name = token.group("name");
                if (name != null) {
                    check(file, words(name), line);
                } else if (token.group("comment") != null || (messages && token.group("text") != null)) {
                    check(file, token.group(), line);
                }
            }
        } catch (IOException unread) {
            throw new UncheckedIOException("read " + file, unread);
        }
    }

    private void check(Path file, String text, int firstLine) {
        for (Banned word : banned) {
            Matcher matcher = word.pattern().matcher(text);
            while (matcher.find()) {
                findings.add("%s:%d: '%s': better: %s"
                        .formatted(
                                root.relativize(file),
                                firstLine + newlines(text.substring(0, matcher.start())),
                                matcher.group().replaceAll("\\s+", " "),
                                word.better()));
            }
        }
    }

    private static int newlines(String text) {
        return (int) text.chars().filter(c -> c == '\n').count();
    }

    /** {@return the words of an identifier, for example "evicts Anew" for {@code evictsAnew}} */
    private static String words(String name) {
        return NAME_PARTS.matcher(name).replaceAll(" ");
    }

    /** {@return the identifier that consists of these words, for example {@code evictsAnew} for "evicts anew"} */
    private static String name(String words) {
        return Pattern.compile(" (.)")
                .matcher(words)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }
}

package dev.holdfast.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source file of the repository.
 *
 * @param path below the root of the repository
 */
record JavaSource(Path path, String text) {
    /** The root of the repository, from the folder in which Maven runs the tests of a module. */
    static final Path ROOT = Path.of("..");

    private static final Pattern COMMENT_OR_TEXT = Pattern.compile("(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*+)"
            + "|(?<text>\"\"\"[\\s\\S]*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\")"
            + "|'(?:\\\\.|[^'\\\\\\n])*+'");

    /** {@return the Java sources below a folder of the repository, in the order of their paths} */
    static List<JavaSource> below(Path folder) {
        SortedMap<Path, JavaSource> sources = new TreeMap<>();
        try {
            Files.walkFileTree(ROOT.resolve(folder), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    String name = directory.getFileName().toString();
                    boolean left = name.equals("target") || name.matches("\\.[a-z].*");
                    return left && !name.equals(".ci") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (file.toString().endsWith(".java")) {
                        Path path = ROOT.relativize(file);
                        sources.put(path, new JavaSource(path, Files.readString(file)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException unread) {
            throw new UncheckedIOException("read the sources in " + folder, unread);
        }
        return List.copyOf(sources.values());
    }

    /** {@return the name of the file without its ending} */
    String name() {
        return path.getFileName().toString().replace(".java", "");
    }

    /** {@return the package, as the path says it} */
    String packageName() {
        return path.toString()
                .replaceFirst(".*/java/", "")
                .replaceFirst("/[^/]*$", "")
                .replace('/', '.');
    }

    int lines() {
        return (int) text.lines().count();
    }

    /** {@return the text with empty literals in place of strings and text blocks, line by line the same} */
    String withoutLiterals() {
        return COMMENT_OR_TEXT
                .matcher(text)
                .replaceAll(token -> token.group("text") == null
                        ? Matcher.quoteReplacement(token.group())
                        : "\"\""
                                + "\n".repeat((int) token.group()
                                        .chars()
                                        .filter(c -> c == '\n')
                                        .count()));
    }
}

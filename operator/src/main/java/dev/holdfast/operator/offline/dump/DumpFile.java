package dev.holdfast.operator.offline.dump;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A file with objects of a cluster, or standard input.
 *
 * @param name how messages name it
 * @param ofFolder whether the user named only its folder, which may have files of other programs
 */
public record DumpFile(String name, Content content, boolean ofFolder) {
    /** Creates a file that the user named. */
    public DumpFile(String name, Content content) {
        this(name, content, false);
    }

    /** {@return the same file, which can be read twice even if it is standard input; for small files} */
    public DumpFile repeatable() {
        byte[][] bytes = new byte[1][];
        return new DumpFile(
                name,
                () -> {
                    if (bytes[0] == null) {
                        try (InputStream once = content.open()) {
                            bytes[0] = once.readAllBytes();
                        }
                    }
                    return new ByteArrayInputStream(bytes[0]);
                },
                ofFolder);
    }

    /** The argument that means standard input. */
    public static final String STANDARD_INPUT = "-";

    /** The content of a file. */
    @FunctionalInterface
    public interface Content {
        /** {@return the bytes; the caller closes the stream} */
        InputStream open() throws IOException;
    }

    /**
     * {@return the files that an argument of {@code -f} names} A folder stands for all files in it and its subfolders
     * that end in {@code .json}, {@code .yaml} or {@code .yml}, also with {@code .gz}, in the order of their names.
     *
     * @param argument a file, a folder, or {@code -} for standard input
     * @throws DumpException if there is no such file, or the folder has none
     */
    public static List<DumpFile> of(String argument, InputStream standardInput) throws DumpException {
        if (argument.equals(STANDARD_INPUT)) {
            return List.of(new DumpFile("standard input", () -> open(standardInput)));
        }
        Path path = path(argument);
        if (!Files.exists(path)) {
            throw new DumpException(argument + ": no such file: give a file, a folder, or - for standard input");
        }
        return Files.isDirectory(path) ? ofFolder(path) : List.of(of(path));
    }

    /**
     * {@return a stream that leaves standard input open} To close standard input, Java would need a file {@code
     * /dev/null}.
     */
    private static InputStream open(InputStream standardInput) {
        return new FilterInputStream(standardInput) {
            @Override
            public void close() {
                // The process closes it.
            }
        };
    }

    private static Path path(String argument) throws DumpException {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            throw new DumpException(argument + ": no file can have this name: " + e.getReason(), e);
        }
    }

    private static DumpFile of(Path path) {
        return new DumpFile(path.toString(), () -> Files.newInputStream(path));
    }

    private static List<DumpFile> ofFolder(Path folder) throws DumpException {
        try (Stream<Path> paths = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            List<DumpFile> files = paths.filter(Files::isRegularFile)
                    .filter(path -> isRead(path.getFileName().toString()))
                    .sorted()
                    .map(path -> new DumpFile(path.toString(), () -> Files.newInputStream(path), true))
                    .toList();
            if (files.isEmpty()) {
                throw new DumpException(folder + ": the folder has no file that ends in .json, .yaml, .yml or .gz");
            }
            return files;
        } catch (IOException e) {
            throw new DumpException(folder + ": cannot read the folder: " + cause(e), e);
        } catch (UncheckedIOException e) {
            throw new DumpException(
                    folder + ": cannot read the folder: " + cause(Objects.requireNonNull(e.getCause())), e);
        }
    }

    /** {@return whether a file of a folder or an archive may have objects, to judge by its name} */
    static boolean isRead(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.gz$", "");
        // macOS adds a file ._NAME with its own attributes to each file of an archive.
        return !name.startsWith("._") && (name.endsWith(".json") || name.endsWith(".yaml") || name.endsWith(".yml"));
    }

    /** {@return why a file cannot be read: the message of some exceptions is the name of the file alone} */
    static String cause(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            case FileSystemLoopException loop -> loop.getFile() + ": a link to a folder that it is in";
            case CharacterCodingException _ -> "it is not text in UTF-8 or UTF-16";
            case NoSuchFileException gone -> gone.getFile() + ": no such file";
            default -> String.valueOf(e.getMessage());
        };
    }
}

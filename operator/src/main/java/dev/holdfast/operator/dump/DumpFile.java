package dev.holdfast.operator.dump;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file with objects of a cluster, or standard input.
 *
 * @param name how messages name it
 */
public record DumpFile(String name, Content content) {
    private static final String STANDARD_INPUT = "-";

    /** What a file has. */
    @FunctionalInterface
    public interface Content {
        /** {@return the bytes; the caller closes the stream} */
        InputStream open() throws IOException;
    }

    /**
     * {@return the files that an argument of {@code -f} names} A folder has all files in it and in its folders that end
     * in {@code .json}, {@code .yaml} or {@code .yml}, also with {@code .gz}, in the order of their names.
     *
     * @param argument a file, a folder, or {@code -} for standard input
     * @throws DumpException if there is no such file, or the folder has none
     */
    public static List<DumpFile> of(String argument, InputStream standardInput) throws DumpException {
        if (argument.equals(STANDARD_INPUT)) {
            return List.of(new DumpFile("standard input", () -> standardInput));
        }
        Path path = Path.of(argument);
        if (!Files.exists(path)) {
            throw new DumpException(argument + ": no such file: give a file, a folder, or - for standard input");
        }
        return Files.isDirectory(path) ? ofFolder(path) : List.of(of(path));
    }

    private static DumpFile of(Path path) {
        return new DumpFile(path.toString(), () -> Files.newInputStream(path));
    }

    private static List<DumpFile> ofFolder(Path folder) throws DumpException {
        try (Stream<Path> paths = Files.walk(folder)) {
            List<DumpFile> files = paths.filter(Files::isRegularFile)
                    .filter(DumpFile::isRead)
                    .sorted()
                    .map(DumpFile::of)
                    .toList();
            if (files.isEmpty()) {
                throw new DumpException(folder + ": the folder has no file that ends in .json, .yaml, .yml or .gz");
            }
            return files;
        } catch (IOException e) {
            throw new DumpException(folder + ": cannot read the folder: " + e.getMessage(), e);
        }
    }

    private static boolean isRead(Path path) {
        String name = path.getFileName().toString().replaceFirst("\\.gz$", "");
        return name.endsWith(".json") || name.endsWith(".yaml") || name.endsWith(".yml");
    }
}

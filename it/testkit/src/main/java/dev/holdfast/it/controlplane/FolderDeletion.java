package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Recursive deletion of folders. */
public final class FolderDeletion {
    private static final int ATTEMPTS = 10;

    private FolderDeletion() {}

    /**
     * Deletes the folder and its content; does nothing if the folder does not exist. Other processes may create and
     * delete files in it meanwhile.
     */
    public static void delete(Path folder) throws IOException {
        delete(folder, folder);
    }

    /**
     * Deletes a folder as {@link #delete(Path)}, but deletes the file {@code last}, which is in the folder, after all
     * other files.
     */
    static void delete(Path folder, Path last) throws IOException {
        for (int attempt = 1; Files.exists(folder); attempt++) {
            try {
                deleteOnce(folder, last);
            } catch (DirectoryNotEmptyException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            } catch (UncheckedIOException e) {
                if (attempt == ATTEMPTS) {
                    throw new IOException(e);
                }
            }
        }
    }

    private static void deleteOnce(Path folder, Path last) throws IOException {
        Comparator<Path> lastAtTheEnd = Comparator.comparing(path -> path.equals(last) || path.equals(folder));
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(lastAtTheEnd.thenComparing(Comparator.reverseOrder()))
                    .toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}

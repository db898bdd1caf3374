package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A claim on a temporary folder: a file in the folder that this JVM keeps locked. The lock shows other processes that
 * the folder is still in use. The kernel releases the lock when the process ends in any way. A process id in a file
 * would not be enough: ids are reused, and differ between containers.
 */
final class FolderClaim {
    private static final String FILE = "owner";

    /**
     * The folders that this JVM has claimed. The JVM must not open their claim files again: closing any channel of a
     * file releases all locks that the JVM has on the file.
     */
    private static final Set<Path> OF_THIS_JVM = new HashSet<>();

    private final Path folder;
    private final FileChannel locked;

    private FolderClaim(Path folder, FileChannel locked) {
        this.folder = folder;
        this.locked = locked;
    }

    /** Claims a new folder; the claim file contains the process id. */
    static FolderClaim on(Path folder) throws IOException {
        synchronized (OF_THIS_JVM) {
            OF_THIS_JVM.add(folder);
            FileChannel file = FileChannel.open(folder.resolve(FILE), CREATE_NEW, WRITE);
            // Waits, because another process may hold the lock for a moment in {@code sweep}.
            file.lock();
            file.write(UTF_8.encode(ProcessHandle.current().pid() + "\n"));
            return new FolderClaim(folder, file);
        }
    }

    /** Releases the claim. */
    void close() throws IOException {
        synchronized (OF_THIS_JVM) {
            locked.close();
            OF_THIS_JVM.remove(folder);
        }
    }

    /** Deletes the folder and releases the claim. */
    void deleteFolder() throws IOException {
        deleteClaimed(folder);
        close();
    }

    /**
     * Deletes the folders with this name prefix whose claiming process has ended. Keeps folders without a claim file.
     */
    static void sweep(Path parent, String prefix) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(parent)) {
            folders = all.filter(it -> it.getFileName().toString().startsWith(prefix))
                    .toList();
        }
        folders.forEach(FolderClaim::deleteIfAbandoned);
    }

    private static void deleteIfAbandoned(Path folder) {
        synchronized (OF_THIS_JVM) {
            Path file = folder.resolve(FILE);
            if (OF_THIS_JVM.contains(folder) || !Files.exists(file)) {
                return;
            }
            try (FileChannel channel = FileChannel.open(file, WRITE);
                    @Nullable FileLock lock = channel.tryLock()) {
                boolean wasClaimed = channel.size() > 0;
                if (lock != null && wasClaimed) {
                    deleteClaimed(folder);
                }
            } catch (IOException _) {
                // The folder belongs to another user, or another process deletes it at the same time.
            }
        }
    }

    /**
     * Deletes a folder, its claim file last. If this process is killed meanwhile, the next {@link #sweep} deletes the
     * rest.
     */
    private static void deleteClaimed(Path folder) throws IOException {
        FolderDeletion.delete(folder, folder.resolve(FILE));
    }
}

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
 * What makes a temporary folder this JVM's: a file in it that the JVM holds locked. The lock goes with the process,
 * however that ends; a process id alone would not tell, since ids come again, and mean others in other containers.
 */
final class FolderClaim {
    private static final String FILE = "owner";

    /** Not to be opened again: closing any channel to a file gives up all locks that this JVM has on it. */
    private static final Set<Path> OF_THIS_JVM = new HashSet<>();

    private final Path folder;
    private final FileChannel locked;

    private FolderClaim(Path folder, FileChannel locked) {
        this.folder = folder;
        this.locked = locked;
    }

    /** Claims a new folder; its file names the process. */
    static FolderClaim on(Path folder) throws IOException {
        synchronized (OF_THIS_JVM) {
            OF_THIS_JVM.add(folder);
            FileChannel file = FileChannel.open(folder.resolve(FILE), CREATE_NEW, WRITE);
            // Somebody may just look whether the file, still empty, is locked.
            file.lock();
            file.write(UTF_8.encode(ProcessHandle.current().pid() + "\n"));
            return new FolderClaim(folder, file);
        }
    }

    /** Gives the claim up. */
    void close() throws IOException {
        synchronized (OF_THIS_JVM) {
            locked.close();
            OF_THIS_JVM.remove(folder);
        }
    }

    /** Deletes the folder, and gives the claim up. */
    void deleteFolder() throws IOException {
        deleteClaimed(folder);
        close();
    }

    /** Deletes the folders of this prefix whose owner is gone, and leaves those without a claim. */
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
                // Another user's, or somebody else deletes it too.
            }
        }
    }

    /** The claim goes last: what a killed deletion leaves is still claimed, and the next sweep deletes it. */
    private static void deleteClaimed(Path folder) throws IOException {
        FolderDeletion.delete(folder, folder.resolve(FILE));
    }
}

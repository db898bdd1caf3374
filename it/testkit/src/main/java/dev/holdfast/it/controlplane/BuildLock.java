package dev.holdfast.it.controlplane;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A file lock that only one thread on this machine can hold, in any process. Callers wait until the lock is free. */
final class BuildLock {

    /**
     * For each file, the lock that a thread takes before the file lock. The JDK throws if a second thread requests a
     * file lock that this JVM holds.
     */
    private static final Map<Path, ReentrantLock> IN_THIS_JVM = new ConcurrentHashMap<>();

    private final Path file;
    private final Runnable whenOthersHoldIt;

    /** The work that a caller does while it holds the lock. */
    interface Work {
        void run() throws IOException;
    }

    /**
     * Creates a lock.
     *
     * @param file the file to lock; created if it does not exist, and never deleted
     * @param whenOthersHoldIt runs if another process holds the lock: once, before the wait for that process
     */
    BuildLock(Path file, Runnable whenOthersHoldIt) {
        this.file = file.toAbsolutePath().normalize();
        this.whenOthersHoldIt = whenOthersHoldIt;
    }

    void hold(Work work) throws IOException {
        ReentrantLock threads = IN_THIS_JVM.computeIfAbsent(file, _ -> new ReentrantLock());
        threads.lock();
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE);
                FileLock _ = lock(channel)) {
            work.run();
        } finally {
            threads.unlock();
        }
    }

    private FileLock lock(FileChannel channel) throws IOException {
        @Nullable FileLock free = channel.tryLock();
        if (free != null) {
            return free;
        }
        whenOthersHoldIt.run();
        return channel.lock();
    }
}

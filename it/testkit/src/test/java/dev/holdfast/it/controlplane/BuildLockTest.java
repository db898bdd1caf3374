package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller of {@link BuildLock} waits until another thread or process has released the lock. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
class BuildLockTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private BuildLock lock() {
        return new BuildLock(folder.resolve("programs.lock"), () -> seen.add("waits for another process"));
    }

    @Test
    void aSecondThreadWaitsForTheFirst() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<?> first = task(() -> {
            entered.countDown();
            await("the second waits").atMost(TimeLimits.STATE).until(() -> leave.getCount() == 0);
            seen.add("first");
        });
        FutureTask<?> second = task(() -> seen.add("second"));
        Thread.ofPlatform().start(first);
        entered.await();
        Thread waiting = Thread.ofPlatform().start(second);
        await("the second waits or has ended")
                .atMost(TimeLimits.STATE)
                .until(() -> waiting.getState() == Thread.State.WAITING || second.isDone());

        leave.countDown();
        first.get();
        second.get();

        assertThat(seen).containsExactly("first", "second");
    }

    private FutureTask<?> task(BuildLock.Work work) {
        return new FutureTask<>(() -> {
            lock().hold(work);
            return true;
        });
    }

    @Test
    void aSecondProcessIsWaitedFor() throws Exception {
        Process other = otherProcess();
        try (BufferedReader says = other.inputReader()) {
            assertThat(says.readLine()).isEqualTo("held");
            FutureTask<?> here = task(() -> seen.add("here"));
            Thread.ofPlatform().start(here);
            await("it waits").atMost(TimeLimits.STATE).until(() -> !seen.isEmpty());
            assertThat(seen).containsExactly("waits for another process");

            other.getOutputStream().close();
            here.get();

            assertThat(seen).containsExactly("waits for another process", "here");
        } finally {
            other.destroyForcibly();
        }
    }

    private Process otherProcess() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        folder.resolve("programs.lock").toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void workThatFailsLeavesTheLockFree() throws Exception {
        FutureTask<?> fails = task(() -> {
            throw new IOException("no space left");
        });
        fails.run();
        assertThat(fails.state()).isEqualTo(FutureTask.State.FAILED);

        FutureTask<?> next = task(() -> seen.add("next"));
        Thread.ofPlatform().start(next);
        next.get();

        assertThat(seen).containsExactly("next");
    }
}

package dev.holdfast.policies.engine.protocol;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Which threads may use an object that belongs to one. */
class OwnerThreadTest {
    private final OwnerThread owner = new OwnerThread("the reader of pods");

    @Test
    void theFirstThreadOwnsTheObjectAndMayUseItAgain() {
        owner.check();

        assertThatCode(owner::check).doesNotThrowAnyException();
    }

    @Test
    void aSecondThreadIsRefusedByName() {
        onThread("feed of Pod", owner::check);

        assertThatThrownBy(() -> onThread("second watch", owner::check))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the reader of pods belongs to the thread 'feed of Pod' and was used by 'second watch':"
                        + " a bug, please report it");
    }

    @Test
    void afterAHandOverOnlyTheNewThreadMayUseTheObject() {
        onThread("engine", owner::check);

        owner.handOver();

        assertThatCode(owner::check).doesNotThrowAnyException();
        assertThatThrownBy(() -> onThread("engine", owner::check)).isInstanceOf(IllegalStateException.class);
    }

    private static void onThread(String name, Runnable task) {
        try {
            CompletableFuture.runAsync(
                            task, run -> Thread.ofPlatform().name(name).start(run))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}

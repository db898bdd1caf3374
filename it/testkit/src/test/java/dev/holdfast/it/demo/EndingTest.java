package dev.holdfast.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class EndingTest {
    private final List<String> said = new CopyOnWriteArrayList<>();

    @Test
    void whoIsToldToStopSaysFarewellAndKnowsIt() throws InterruptedException {
        try (Ending ending = Ending.watch(() -> said.add("farewell"))) {
            ending.hook().start();
            ending.hook().join();

            assertThat(ending.isSoon()).isTrue();
            assertThat(said).containsExactly("farewell");
        }
    }

    @Test
    void whoIsNotToldToStopDoesNotThinkSo() throws InterruptedException {
        try (Ending ending = Ending.watch(() -> said.add("farewell"))) {
            assertThat(ending.isSoon()).isFalse();
            assertThat(said).isEmpty();
        }
    }
}

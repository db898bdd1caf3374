package dev.holdfast.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class StopSignalTest {
    private final List<String> said = new CopyOnWriteArrayList<>();

    @Test
    void whoIsToldToStopSaysFarewellAndKnowsIt() throws InterruptedException {
        try (StopSignal stopSignal = StopSignal.watch(() -> said.add("farewell"))) {
            stopSignal.hook().start();
            stopSignal.hook().join();

            assertThat(stopSignal.isSoon()).isTrue();
            assertThat(said).containsExactly("farewell");
        }
    }

    @Test
    void whoIsNotToldToStopDoesNotThinkSo() throws InterruptedException {
        try (StopSignal stopSignal = StopSignal.watch(() -> said.add("farewell"))) {
            assertThat(stopSignal.isSoon()).isFalse();
            assertThat(said).isEmpty();
        }
    }
}

package dev.holdfast.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NarratorTest {
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final Narrator narrator = new Narrator(new PrintStream(told, true, UTF_8), () -> Instant.EPOCH);

    @Test
    void whatBelongsToASceneHasItsName() {
        narrator.say("node-affinity", "--- node n1 loses its SSD");

        assertThat(told.toString(UTF_8)).isEqualTo("  0.0s  node-affinity      --- node n1 loses its SSD\n");
    }

    @Test
    void nothingIsToldOnceTheLastWordsAreLookedFor() {
        narrator.say("ready");
        narrator.lastWords(() -> {
            narrator.say("meanwhile");
            return "ended";
        });
        narrator.say("more");
        narrator.say("node-affinity", "more");

        assertThat(told.toString(UTF_8)).isEqualTo("  0.0s  ready\n  0.0s  ended\n");
    }
}

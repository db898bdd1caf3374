package dev.holdfast.it.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeschedulerTest {
    @Test
    void itsVersionIsPinned() {
        assertThat(Descheduler.version()).isEqualTo("v0.36.0");
    }
}

package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlayProgressTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void whatIsDoneIsSaidOnce() {
        try (PlayProgress progress = new PlayProgress(said::add)) {
            progress.tick();
            progress.now(() -> "simulated 1h of 2h");
            progress.tick();
            progress.tick();
            progress.now(() -> "simulated 2h of 2h");
            progress.tick();
        }

        assertThat(said).containsExactly("simulated 1h of 2h", "simulated 2h of 2h");
    }
}

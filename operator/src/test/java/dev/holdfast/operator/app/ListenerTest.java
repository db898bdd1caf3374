package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener passes on. */
class ListenerTest {
    @Test
    void onlyWhatComesAfterItsTargetIsPassedOn() {
        List<String> passed = new ArrayList<>();
        Listener<String> listener = new Listener<>();

        listener.accept("before");
        listener.to(passed::add);
        listener.accept("after");

        assertThat(passed).containsExactly("after");
    }
}

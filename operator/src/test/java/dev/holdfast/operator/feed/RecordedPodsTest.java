package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.operator.decode.Corpus;
import dev.holdfast.policies.model.ClusterEvent;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the replay of a recorded watch through the reader of live watches. */
class RecordedPodsTest {
    private final List<ClusterEvent> told = new ArrayList<>();
    private final RecordedPods pods = new RecordedPods(() -> Instant.EPOCH, told::add);

    @Test
    void whatChangesIsTold() throws Exception {
        pods.follow(new ByteArrayInputStream(Corpus.body("pods-changes.pb")));

        assertThat(told)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("PodChanged", "PodChanged", "PodGone");
    }

    @Test
    void aWatchThatGoesOnBeforeTheLastIsRefused() throws Exception {
        byte[] watch = Corpus.body("pods-changes.pb");
        pods.follow(new ByteArrayInputStream(watch));

        assertThatIllegalStateException()
                .isThrownBy(() -> pods.follow(new ByteArrayInputStream(watch)))
                .withMessageContaining("its version went back");
    }
}

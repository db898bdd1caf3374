package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadableNodesTest {
    private final ReadableNodes events = new ReadableNodes();

    private static Node node(Optional<String> tooComplex) {
        NodeLifecycle life = new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty());
        return new Node("n1", "u-1", 12, Labels.none(), List.of(), false, life, Resources.none(), tooComplex);
    }

    @Test
    void aNodeThatWasReadInFull() {
        Node node = node(Optional.empty());

        assertThat(events.apply(node)).isEqualTo(new ClusterEvent.NodeChanged(node));
    }

    @Test
    void aNodeThatIsTooComplexIsMissingUntilItIsNot() {
        Node odd = node(Optional.of("it has 2,000 labels, and Holdfast reads at most 320"));
        Node plain = node(Optional.empty());

        assertThat(events.apply(odd)).isEqualTo(new ClusterEvent.NodeGone("n1"));
        assertThat(events.apply(odd)).isEqualTo(new ClusterEvent.NodeGone("n1"));
        assertThat(events.apply(plain)).isEqualTo(new ClusterEvent.NodeChanged(plain));
    }
}

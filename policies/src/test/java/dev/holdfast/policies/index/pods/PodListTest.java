package dev.holdfast.policies.index.pods;

import static dev.holdfast.policies.testing.Facts.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodListTest {
    private static final int MANY = 1000;

    private final LabelVariant labelVariant =
            new LabelVariant(new LabelClass(new NamespaceEntry("shop", new HashSet<>()), Labels.none()), Labels.none());

    private List<PodEntry> entries() {
        return IntStream.range(0, MANY)
                .mapToObj(i -> new PodEntry(pod("web-" + i), labelVariant))
                .toList();
    }

    @Test
    void aListOfPodsScaledUpAndDownHasTheRoomOfOneNeverScaled() {
        PodList scaled = new PodList((pod, place) -> pod.placeInVariant = place);
        PodList never = new PodList((pod, place) -> pod.placeOnNode = place);
        List<PodEntry> entries = entries();
        never.add(entries.getFirst());
        entries.forEach(scaled::add);
        entries.subList(1, MANY).forEach(entry -> scaled.remove(entry.placeInVariant));
        assertThat(scaled).containsExactly(entries.getFirst());
        assertThat(scaled.room()).isEqualTo(never.room()).isPositive();
    }
}

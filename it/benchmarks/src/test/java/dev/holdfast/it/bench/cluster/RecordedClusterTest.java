package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.cluster.RecordedCluster.Frames;
import dev.holdfast.it.bench.cluster.RecordedCluster.Mix;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The watch of 3,000 pods that {@link RecordedCluster} makes from recordings of six pods. */
class RecordedClusterTest {
    private static final Layout LAYOUT = Layout.of(100, 3_000);
    private static final List<PlacedPod> PLACED = FilledCluster.placed(LAYOUT, 1);

    private final RecordedCluster cluster = new RecordedCluster(LAYOUT, 1);
    private final PodDecoder decoder = new PodDecoder();

    /** The pod in a received frame, and whether the frame is a deletion. */
    private record Told(Pod pod, boolean gone) {}

    private List<Told> told(Frames frames, int count) throws IOException {
        List<Told> told = new ArrayList<>();
        byte[] bytes = new byte[cluster.largestFrame()];
        for (int i = 0; i < count; i++) {
            int length = frames.next(bytes, 0);
            WatchReader reader = new WatchReader(new ByteArrayInputStream(bytes, 0, length), "Pod");
            told.add(
                    switch (reader.next().orElseThrow()) {
                        case WatchFrame.Changed(ByteSlice object) -> new Told(decoder.decode(object), false);
                        case WatchFrame.Deleted(ByteSlice object) -> new Told(decoder.decode(object), true);
                        case WatchFrame.Bookmark _, WatchFrame.Failed _ -> throw new AssertionError("no pod");
                    });
            assertThat(reader.next()).isEmpty();
        }
        return told;
    }

    @Test
    void everyPodIsToldAsItIsPlaced() throws IOException {
        List<Told> told = told(cluster.all(), PLACED.size());

        for (int i = 0; i < PLACED.size(); i++) {
            PlacedPod placedPod = PLACED.get(i);
            Pod pod = told.get(i).pod();
            assertThat(pod.name()).isEqualTo(new NamespacedName(placedPod.namespace(), placedPod.name()));
            assertThat(pod.uid()).isEqualTo(placedPod.uid());
            assertThat(pod.nodeName()).contains(placedPod.node());
            assertThat(pod.labels().get(BenchDeployment.ZONE)).contains(placedPod.zone());
            assertThat(pod.labels().get("app"))
                    .contains(placedPod.workloadRole().label() + "-" + placedPod.block());
            assertThat(pod.resourceVersion()).isEqualTo(RecordedPod.FIRST_VERSION + i + 1);
            assertThat(pod.life().phase()).isEqualTo(Phase.RUNNING);
            assertThat(pod.life().ready()).isTrue();
            assertThat(told.get(i).gone()).isFalse();
            assertThat(pod.scheduling().topologySpread().isEmpty())
                    .isEqualTo(placedPod.workloadRole() != WorkloadRole.EVEN
                            && placedPod.workloadRole() != WorkloadRole.CACHE);
        }
    }

    @Test
    void aPodIsAsLargeAsInAClusterAtWork() {
        byte[] frame = new byte[cluster.largestFrame()];

        assertThat(cluster.all().next(frame, 0)).isBetween(7_000, 10_000);
    }

    @Test
    void ofStatusOnlyReadinessChanges() throws IOException {
        Map<String, Pod> known = new HashMap<>();
        told(cluster.all(), PLACED.size()).forEach(it -> known.put(it.pod().uid(), it.pod()));

        for (Told change : told(cluster.changes(Mix.STATUS), 1_000)) {
            Pod pod = change.pod();
            Pod before = known.put(pod.uid(), pod);
            assertThat(before).isNotNull();
            assertThat(change.gone()).isFalse();
            assertThat(pod.life().ready()).isNotEqualTo(before.life().ready());
            assertThat(pod.labels()).isEqualTo(before.labels());
            assertThat(pod.podRequirements()).isEqualTo(before.podRequirements());
            assertThat(pod.resourceVersion()).isGreaterThan(before.resourceVersion());
        }
    }

    @Test
    void whatIsDeletedIsReplacedAtOnceByAnotherOfItsName() throws IOException {
        told(cluster.all(), PLACED.size());
        Optional<Pod> deleted = Optional.empty();
        int replaced = 0;
        for (Told change : told(cluster.changes(Mix.PODS), 12_000)) {
            if (deleted.isPresent()) {
                assertThat(change.gone()).isFalse();
                assertThat(change.pod().name()).isEqualTo(deleted.get().name());
                assertThat(change.pod().uid()).isNotEqualTo(deleted.get().uid());
                replaced++;
            }
            deleted = change.gone() ? Optional.of(change.pod()) : Optional.empty();
        }
        assertThat(replaced).isBetween(800, 1_200);
    }

    @Test
    void oneInTenIsRelabelled() throws IOException {
        Map<String, Labels> known = new HashMap<>();
        told(cluster.all(), PLACED.size())
                .forEach(it -> known.put(it.pod().uid(), it.pod().labels()));
        int relabelled = 0;
        for (Told change : told(cluster.changes(Mix.PODS), 12_000)) {
            Labels before = known.put(change.pod().uid(), change.pod().labels());
            relabelled += before == null || before.equals(change.pod().labels()) ? 0 : 1;
        }
        assertThat(relabelled).isBetween(800, 1_200);
    }
}

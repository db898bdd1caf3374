package dev.holdfast.it.bench.cluster;

import dev.holdfast.it.bench.cluster.RecordedPod.Form;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A pod watch without a cluster, made from the bytes of {@link RecordedPod recordings}, for the same pods as a {@link
 * FilledCluster}. Its events break no rule, except between the deletion of a pod and the replacement.
 */
public final class RecordedCluster {
    private static final Resources ALLOCATABLE = new Resources(32_000, 256L << 30, 0, 110, Map.of());

    private static final int UID_SERIAL = 6;
    private static final int SERIALS = 1_000_000;
    private static final String OTHER_HASH = "5f6c9b4d7";
    private static final int ONE_IN = 10;

    private final Layout layout;
    private final List<PlacedPod> placedPod;
    private final Map<WorkloadRole, RecordedPod> recordings = new EnumMap<>(WorkloadRole.class);
    private final SplittableRandom random;

    /**
     * For each pod, the serial number in its UID. Likewise {@code relabelled} has whether its {@code pod-template-hash}
     * is {@link #OTHER_HASH}, and {@code ready} whether it is ready.
     */
    private final int[] serial;

    private final boolean[] relabelled;
    private final boolean[] ready;

    private long version = RecordedPod.FIRST_VERSION;
    private int turn;
    private int lastSerial;

    /** Which events happen to randomly chosen pods. */
    public enum Mix {
        /** All events are status changes: a container of the pod restarts, or is ready again. */
        STATUS,
        /**
         * In 8 of 10 cases a status change, in 1 of 10 a replacement of the pod, and in 1 of 10 another label value.
         */
        PODS
    }

    /**
     * The next frame of the pod that is being replaced: its deletion, or the addition of the new pod. {@code NONE} if
     * no pod is being replaced.
     */
    private enum Ending {
        NONE,
        DELETED,
        REPLACED
    }

    /** A sequence of watch frames, each created when it is needed. */
    @FunctionalInterface
    public interface Frames {
        /**
         * Writes the next frame into a buffer, from index {@code at} on.
         *
         * @return the length of the frame in bytes
         */
        int next(byte[] into, int at);
    }

    /** Creates a cluster; no watch frame is written yet. */
    public RecordedCluster(Layout layout, long seed) {
        this.layout = layout;
        this.placedPod = FilledCluster.placed(layout, seed);
        this.random = new SplittableRandom(seed);
        for (WorkloadRole workloadRole : WorkloadRole.values()) {
            recordings.put(workloadRole, RecordedPod.of(workloadRole));
        }
        this.serial = new int[placedPod.size()];
        this.relabelled = new boolean[placedPod.size()];
        this.ready = new boolean[placedPod.size()];
    }

    /** {@return the number of pods} */
    public int pods() {
        return placedPod.size();
    }

    /** {@return the length of the largest frame, in bytes} */
    public int largestFrame() {
        return recordings.values().stream().mapToInt(RecordedPod::largest).max().orElseThrow();
    }

    /** Delivers an event for each namespace and each node. */
    public void tellPlaces(Consumer<ClusterEvent> listener, Map<String, String> namespaceLabels) {
        placedPod.stream().map(PlacedPod::namespace).distinct().forEach(name -> {
            Labels labels = Labels.of(namespaceLabels);
            listener.accept(new ClusterEvent.NamespaceChanged(new Namespace(name, 1, labels)));
        });
        for (int number = 1; number <= layout.nodes(); number++) {
            listener.accept(new ClusterEvent.NodeChanged(node(number)));
        }
    }

    private Node node(int number) {
        String name = Layout.node(number);
        return new Node(
                name,
                String.format(Locale.ROOT, "%08x-0000-4000-9000-%012x", number, number),
                1,
                Labels.of("kubernetes.io/hostname", name, BenchDeployment.ZONE, layout.zone(number), "disk", "ssd"),
                List.of(),
                false,
                new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty()),
                ALLOCATABLE);
    }

    /** {@return the frames of the initial list: an ADDED frame for each pod, in order} */
    public Frames all() {
        int[] next = {0};
        return (into, at) -> {
            int pod = next[0]++;
            ready[pod] = true;
            return write(pod, Form.ADDED, into, at);
        };
    }

    /** {@return an endless sequence of frames of random events} */
    public Frames changes(Mix mix) {
        return new Changing(mix);
    }

    private final class Changing implements Frames {
        private final Mix mix;
        private Ending ending = Ending.NONE;
        private int ended;

        Changing(Mix mix) {
            this.mix = mix;
        }

        @Override
        public int next(byte[] into, int at) {
            return switch (ending) {
                case NONE -> change(into, at);
                case DELETED -> {
                    ending = Ending.REPLACED;
                    yield write(ended, Form.DELETED, into, at);
                }
                case REPLACED -> {
                    ending = Ending.NONE;
                    yield replace(ended, into, at);
                }
            };
        }

        private int change(byte[] into, int at) {
            int pod = random.nextInt(placedPod.size());
            int what = mix == Mix.STATUS ? ONE_IN : random.nextInt(ONE_IN);
            if (what == 0) {
                ended = pod;
                ending = Ending.DELETED;
                return write(pod, Form.TERMINATING, into, at);
            }
            if (what == 1) {
                relabelled[pod] = !relabelled[pod];
            } else {
                ready[pod] = !ready[pod];
            }
            return write(pod, ready[pod] ? Form.READY : Form.NOT_READY, into, at);
        }
    }

    private int replace(int pod, byte[] into, int at) {
        lastSerial = (lastSerial + 1) % SERIALS;
        serial[pod] = lastSerial;
        relabelled[pod] = false;
        ready[pod] = true;
        return write(pod, Form.ADDED, into, at);
    }

    private int write(int number, Form form, byte[] into, int at) {
        PlacedPod pod = placedPod.get(number);
        version++;
        turn = (turn + 1) % SERIALS;
        RecordedPod.Words words = new RecordedPod.Words(
                pod.name(),
                uid(pod, serial[number]),
                pod.namespace(),
                pod.node(),
                pod.zone(),
                pod.block(),
                "turn-" + digits(turn),
                relabelled[number] ? OTHER_HASH : TemplateObjects.HASH,
                version);
        return Objects.requireNonNull(recordings.get(pod.workloadRole())).write(form, words, into, at);
    }

    private static String uid(PlacedPod pod, int serial) {
        return pod.uid().substring(0, pod.uid().length() - UID_SERIAL) + digits(serial);
    }

    /** {@return a number with six digits} */
    private static String digits(int number) {
        return Integer.toString(SERIALS + number).substring(1);
    }
}

package dev.holdfast.it.bench.cluster;

import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.policies.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.zip.GZIPInputStream;

/**
 * The watch frames of kube-apiserver for one pod of a {@link WorkloadRole}, as {@code it/bench stream --record}
 * recorded them. They are {@link Stencil templates} for the frames of other pods.
 */
final class RecordedPod {
    /** The events whose frames a recording contains, in order. */
    enum Form {
        /** The pod exists and runs. */
        ADDED,
        /** The pod's main container has restarted, and is not ready yet. */
        NOT_READY,
        READY,
        /** The deletion of the pod has begun. */
        TERMINATING,
        DELETED
    }

    /**
     * The lowest {@code resourceVersion} of a frame. It has ten digits, and so has every later one: frames keep their
     * length.
     */
    static final long FIRST_VERSION = 2_000_000_000L;

    private final Map<Form, Stencil> stencils;

    private RecordedPod(Map<Form, Stencil> stencils) {
        this.stencils = stencils;
    }

    /** {@return the recorded frames of a pod of this role} */
    static RecordedPod of(WorkloadRole workloadRole) {
        Map<Form, Stencil> stencils = new EnumMap<>(Form.class);
        Queue<byte[]> frames = new ArrayDeque<>(frames(recording(workloadRole)));
        byte[] version = Long.toString(FIRST_VERSION).getBytes(StandardCharsets.US_ASCII);
        for (Form form : Form.values()) {
            byte[] longer = LongVersion.in(frames.remove(), version);
            stencils.put(form, Stencil.of(longer, words(longer)));
        }
        return new RecordedPod(stencils);
    }

    private static List<String> words(byte[] frame) {
        Pod pod = pod(frame);
        return new Words(
                        pod.name().name(),
                        pod.uid(),
                        TemplateObjects.NAMESPACE,
                        TemplateObjects.NODE,
                        TemplateObjects.ZONE,
                        TemplateObjects.BLOCK,
                        TemplateObjects.TURN,
                        TemplateObjects.HASH,
                        FIRST_VERSION)
                .inOrder();
    }

    /** The values that replace the recorded values in a frame; each must have the length of the recorded value. */
    record Words(
            String name,
            String uid,
            String namespace,
            String node,
            String zone,
            int block,
            String turn,
            String hash,
            long version) {
        private List<String> inOrder() {
            return List.of(
                    name, uid, namespace, node, zone, Integer.toString(block), turn, hash, Long.toString(version));
        }
    }

    /**
     * Writes the frame of an event, with these values, into a buffer, from index {@code at} on.
     *
     * @return the length of the frame in bytes
     */
    int write(Form form, Words words, byte[] into, int at) {
        Stencil stencil = Objects.requireNonNull(stencils.get(form));
        stencil.write(words.inOrder(), into, at);
        return stencil.size();
    }

    /** {@return the length of the largest frame in bytes} */
    int largest() {
        return stencils.values().stream().mapToInt(Stencil::size).max().orElseThrow();
    }

    /** {@return the name of the resource file with the recording of a role} */
    static String file(WorkloadRole workloadRole) {
        return "watch-" + workloadRole.name().toLowerCase(Locale.ROOT) + ".gz";
    }

    private static byte[] recording(WorkloadRole workloadRole) {
        try (InputStream file = RecordedPod.class.getResourceAsStream(file(workloadRole))) {
            return new GZIPInputStream(Objects.requireNonNull(file, file(workloadRole))).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the frames in a recording, each with its length prefix} */
    static List<byte[]> frames(byte[] recording) {
        List<byte[]> frames = new ArrayList<>();
        ByteBuffer left = ByteBuffer.wrap(recording);
        while (left.hasRemaining()) {
            byte[] frame = new byte[Integer.BYTES + left.getInt(left.position())];
            left.get(frame);
            frames.add(frame);
        }
        return frames;
    }

    private static Pod pod(byte[] frame) {
        try {
            WatchFrame read = new WatchReader(new ByteArrayInputStream(frame), "Pod")
                    .next()
                    .orElseThrow();
            return switch (read) {
                case WatchFrame.Changed(var object) -> new PodDecoder().decode(object);
                case WatchFrame.Deleted(var object) -> new PodDecoder().decode(object);
                case WatchFrame.Bookmark _, WatchFrame.Failed _ ->
                    throw new IllegalStateException("a recording holds pods only");
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

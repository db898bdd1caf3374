package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Responses of a real API server, recorded in the folder {@code golden}. */
public final class Corpus {
    private Corpus() {}

    /** {@return the bytes of a recorded response body} */
    public static byte[] body(String name) {
        try (InputStream file = Corpus.class.getResourceAsStream("golden/" + name + ".gz")) {
            if (file == null) {
                throw new AssertionError("no recording golden/" + name + ".gz");
            }
            return new GZIPInputStream(file).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the recorded pods, one by one} */
    static List<byte[]> pods() {
        return items("pods.pb");
    }

    static List<byte[]> nodes() {
        return items("nodes.pb");
    }

    static List<byte[]> namespaces() {
        return items("namespaces.pb");
    }

    static List<byte[]> replicaSets() {
        return items("replicasets.pb");
    }

    static List<byte[]> statefulSets() {
        return items("statefulsets.pb");
    }

    static List<byte[]> jobs() {
        return items("jobs.pb");
    }

    static List<byte[]> budgets() {
        return items("poddisruptionbudgets.pb");
    }

    static List<byte[]> claims() {
        return items("persistentvolumeclaims.pb");
    }

    static List<byte[]> volumes() {
        return items("persistentvolumes.pb");
    }

    static List<byte[]> storageClasses() {
        return items("storageclasses.pb");
    }

    static List<byte[]> csiNodes() {
        return items("csinodes.pb");
    }

    static List<byte[]> quotas() {
        return items("resourcequotas.pb");
    }

    static List<byte[]> limitRanges() {
        return items("limitranges.pb");
    }

    /** {@return for each recorded pod, the response body of a list with only that pod} */
    static List<byte[]> lists() {
        return pods().stream()
                .map(pod -> RecordedBodies.list("4711", message().raw(pod)))
                .toList();
    }

    /** {@return for each recorded pod, the response body of a GET of that pod} */
    static List<byte[]> answers() {
        return pods().stream()
                .map(pod -> RecordedBodies.envelope("Pod", message().raw(pod)))
                .toList();
    }

    /** {@return the recorded events of watches, each with its length in front} */
    static List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        for (String name : List.of("pods-watch.pb", "pods-changes.pb")) {
            ByteBuffer body = ByteBuffer.wrap(body(name));
            while (body.hasRemaining()) {
                byte[] frame = new byte[Integer.BYTES + body.getInt(body.position())];
                body.get(frame);
                frames.add(frame);
            }
        }
        return frames;
    }

    private static List<byte[]> items(String list) {
        List<byte[]> items = new ArrayList<>();
        try {
            new ListReader(new ByteArrayInputStream(body(list))).read(item -> items.add(withoutManagedFields(item)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return items;
    }

    /** Removes {@code managedFields}, half of each object. No decoder reads them, so damage there would test little. */
    private static byte[] withoutManagedFields(ByteSlice object) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(object);
        Message rest = message();
        while (reader.next()) {
            if (reader.field() == 1) {
                rest.part(1, metadata(reader.byteSlice()));
            } else {
                reader.skip();
                rest.raw(Arrays.copyOfRange(reader.bytes(), reader.fieldStart(), reader.position()));
            }
        }
        return rest.bytes();
    }

    private static Message metadata(ByteSlice metadata) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(metadata);
        Message rest = message();
        while (reader.next()) {
            reader.skip();
            if (reader.field() != 17) {
                rest.raw(Arrays.copyOfRange(reader.bytes(), reader.fieldStart(), reader.position()));
            }
        }
        return rest;
    }
}

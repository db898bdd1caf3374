package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz tests of lists and watches of each kind. The first byte of an input selects the kind. */
class ProtobufFuzzTest {
    private static final int RECORDED_EACH = 3;

    private static final List<Kind> KINDS = List.of(
            new Kind(
                    "Pod",
                    () -> new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, AnnotationRulesParser::parse),
                    Corpus.pods()),
            new Kind("Node", NodeDecoder::new, Corpus.nodes()),
            new Kind("Namespace", NamespaceDecoder::new, Corpus.namespaces()),
            new Kind("Deployment", OwnerDecoder::ofDeployments, Corpus.replicaSets()),
            new Kind(
                    "ReplicaSet",
                    () -> OwnerDecoder.ofReplicaSets(SchedulingScope.RULES_AND_PREFERENCES),
                    Corpus.replicaSets()),
            new Kind(
                    "StatefulSet",
                    () -> OwnerDecoder.ofStatefulSets(SchedulingScope.RULES_AND_PREFERENCES),
                    Corpus.statefulSets()),
            new Kind("Job", () -> OwnerDecoder.ofJobs(SchedulingScope.RULES_AND_PREFERENCES), Corpus.jobs()),
            new Kind("PodDisruptionBudget", BudgetDecoder::new, Corpus.budgets()),
            new Kind("PersistentVolumeClaim", ClaimDecoder::new, Corpus.claims()),
            new Kind("PersistentVolume", VolumeDecoder::new, Corpus.volumes()),
            new Kind("StorageClass", StorageClassDecoder::new, Corpus.storageClasses()),
            new Kind("CSINode", CsiNodeDecoder::new, Corpus.csiNodes()),
            new Kind("ResourceQuota", QuotaDecoder::new, Corpus.quotas()),
            new Kind("LimitRange", LimitRangeDecoder::new, Corpus.limitRanges()));

    /** A kind, its decoder, and objects of it that a real API server sent. */
    private static final class Kind {
        private final String name;
        private final Supplier<ObjectDecoder<?>> decoders;
        private final List<byte[]> recorded;

        /** It has read all inputs before. */
        private final ObjectDecoder<?> used;

        Kind(String name, Supplier<ObjectDecoder<?>> decoders, List<byte[]> recorded) {
            this.name = name;
            this.decoders = decoders;
            this.recorded = recorded;
            this.used = decoders.get();
        }
    }

    @FunctionalInterface
    private interface Body {
        Object read(byte[] bytes, String kind, ObjectDecoder<?> decoder) throws IOException;
    }

    @MethodSource("recordedLists")
    @FuzzTest
    void aListIsReadAsANewReaderReadsIt(byte[] input) {
        isReadAlike(input, ProtobufFuzzTest::list);
    }

    @MethodSource("recordedWatches")
    @FuzzTest
    void aWatchIsReadAsANewReaderReadsIt(byte[] input) {
        isReadAlike(input, ProtobufFuzzTest::watch);
    }

    private static void isReadAlike(byte[] input, Body body) {
        if (input.length == 0) {
            return;
        }
        Kind kind = KINDS.get(Math.floorMod(input[0], KINDS.size()));
        ForeignBytes.isReadAlike(
                MalformedException.class,
                Arrays.copyOfRange(input, 1, input.length),
                bytes -> body.read(bytes, kind.name, kind.used),
                bytes -> body.read(bytes, kind.name, kind.decoders.get()));
    }

    private static Object list(byte[] bytes, String kind, ObjectDecoder<?> decoder) throws IOException {
        List<Object> objects = new ArrayList<>();
        objects.add(new ListReader(new ByteArrayInputStream(bytes)).read(item -> objects.add(decoder.decode(item))));
        return objects;
    }

    private static Object watch(byte[] bytes, String kind, ObjectDecoder<?> decoder) throws IOException {
        WatchReader reader = new WatchReader(new ByteArrayInputStream(bytes), kind);
        List<Object> frames = new ArrayList<>();
        for (var frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            switch (frame.get()) {
                case WatchFrame.Changed changed -> frames.add(decoder.decode(changed.object()));
                case WatchFrame.Deleted deleted -> frames.add(decoder.decode(deleted.object()));
                case WatchFrame.Bookmark bookmark -> frames.add(bookmark);
                case WatchFrame.Failed failed -> frames.add(failed);
            }
        }
        return frames;
    }

    static Stream<Named<byte[]>> recordedLists() {
        return recorded((_, object) -> RecordedBodies.list("4711", object));
    }

    static Stream<Named<byte[]>> recordedWatches() {
        return recorded((kind, object) -> RecordedBodies.joined(
                RecordedBodies.frame("ADDED", RecordedBodies.envelope(kind, object)),
                RecordedBodies.frame("DELETED", RecordedBodies.envelope(kind, object))));
    }

    private static Stream<Named<byte[]>> recorded(BiFunction<String, Message, byte[]> body) {
        return IntStream.range(0, KINDS.size()).boxed().flatMap(number -> {
            Kind kind = KINDS.get(number);
            return kind.recorded.stream()
                    .limit(RECORDED_EACH)
                    .map(object -> Named.of(
                            kind.name,
                            RecordedBodies.joined(
                                    new byte[] {number.byteValue()},
                                    body.apply(kind.name, message().raw(object)))));
        });
    }
}

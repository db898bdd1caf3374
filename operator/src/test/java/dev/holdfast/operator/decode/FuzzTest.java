package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectReader;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Fuzz test: randomly damaged bodies of the API server are either decoded or rejected as malformed. {@code
 * -Dholdfast.fuzz.inputs=N} sets the number of inputs and {@code -Dholdfast.fuzz.seed=S} the seed.
 */
class FuzzTest {
    private static final int INPUTS = Integer.getInteger("holdfast.fuzz.inputs", 1_000_000);
    private static final long SEED = Long.getLong("holdfast.fuzz.seed", new Random().nextLong());

    private final List<Target> targets = List.of(
            new Target("pod", Corpus.pods(), bytes -> POD.decode(new ByteSlice(bytes))),
            new Target("node", Corpus.nodes(), bytes -> NODE.decode(new ByteSlice(bytes))),
            new Target("namespace", Corpus.namespaces(), bytes -> NAMESPACE.decode(new ByteSlice(bytes))),
            new Target("ReplicaSet", Corpus.replicaSets(), bytes -> REPLICA_SET.decode(new ByteSlice(bytes))),
            new Target("StatefulSet", Corpus.statefulSets(), bytes -> STATEFUL_SET.decode(new ByteSlice(bytes))),
            new Target("Job", Corpus.jobs(), bytes -> JOB.decode(new ByteSlice(bytes))),
            new Target("disruption budget", Corpus.budgets(), bytes -> BUDGET.decode(new ByteSlice(bytes))),
            new Target("claim", Corpus.claims(), bytes -> CLAIM.decode(new ByteSlice(bytes))),
            new Target("volume", Corpus.volumes(), bytes -> VOLUME.decode(new ByteSlice(bytes))),
            new Target("StorageClass", Corpus.storageClasses(), bytes -> STORAGE_CLASS.decode(new ByteSlice(bytes))),
            new Target("CSINode", Corpus.csiNodes(), bytes -> CSI_NODE.decode(new ByteSlice(bytes))),
            new Target("quota", Corpus.quotas(), bytes -> QUOTA.decode(new ByteSlice(bytes))),
            new Target("LimitRange", Corpus.limitRanges(), bytes -> LIMIT_RANGE.decode(new ByteSlice(bytes))),
            new Target("answer of one pod", Corpus.answers(), FuzzTest::answer),
            new Target("list", Corpus.lists(), FuzzTest::list),
            new Target("watch", Corpus.frames(), FuzzTest::watch));

    private static final PodDecoder POD =
            new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none());
    private static final NodeDecoder NODE = new NodeDecoder();
    private static final NamespaceDecoder NAMESPACE = new NamespaceDecoder();
    private static final OwnerDecoder REPLICA_SET = OwnerDecoder.ofReplicaSets(SchedulingScope.RULES_AND_PREFERENCES);
    private static final OwnerDecoder STATEFUL_SET = OwnerDecoder.ofStatefulSets(SchedulingScope.RULES_AND_PREFERENCES);
    private static final OwnerDecoder JOB = OwnerDecoder.ofJobs(SchedulingScope.RULES_AND_PREFERENCES);
    private static final BudgetDecoder BUDGET = new BudgetDecoder();
    private static final ClaimDecoder CLAIM = new ClaimDecoder();
    private static final VolumeDecoder VOLUME = new VolumeDecoder();
    private static final StorageClassDecoder STORAGE_CLASS = new StorageClassDecoder();
    private static final CsiNodeDecoder CSI_NODE = new CsiNodeDecoder();
    private static final QuotaDecoder QUOTA = new QuotaDecoder();
    private static final LimitRangeDecoder LIMIT_RANGE = new LimitRangeDecoder();
    private static final ObjectReader<Pod> ANSWER = new ObjectReader<>("Pod", PodDecoder::new);

    @FunctionalInterface
    interface Reading {
        Object of(byte[] bytes) throws IOException;
    }

    private record Target(String name, List<byte[]> corpus, Reading reading) {}

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void damagedBodiesAreReadOrRefused() {
        System.out.println("-Dholdfast.fuzz.seed=" + SEED + " -Dholdfast.fuzz.inputs=" + INPUTS);
        Random random = new Random(SEED);
        int refused = 0;
        for (int i = 0; i < INPUTS; i++) {
            Target target = targets.get(i % targets.size());
            byte[] input = damaged(random, target.corpus());
            refused += refuses(target, input, i) ? 1 : 0;
        }

        // At least a tenth of the inputs must be decoded, and at least a tenth rejected.
        assertThat(refused).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
    }

    private static boolean refuses(Target target, byte[] input, int number) {
        try {
            Object outcome = ForeignBytes.outcome(MalformedException.class, input, target.reading()::of);
            return outcome instanceof ForeignBytes.Refused;
        } catch (AssertionError e) {
            throw new AssertionError(about(target, input, number), e);
        }
    }

    private static String about(Target target, byte[] input, int number) {
        return "input " + number + " of seed " + SEED + ", a " + target.name() + ": "
                + HexFormat.of().formatHex(input);
    }

    /** A decoder whose caches are full must give the same results as a new one. */
    @Test
    void aDecoderThatHasSeenMuchReadsAsANewOne() {
        Random random = new Random(SEED);
        List<byte[]> pods = Corpus.pods();
        for (int i = 0; i < 2_000; i++) {
            byte[] input = damaged(random, pods);

            assertThat(answer(POD, input))
                    .as(() -> "seed " + SEED + ": " + HexFormat.of().formatHex(input))
                    .isEqualTo(answer(
                            new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none()), input));
        }
    }

    private static Object answer(PodDecoder decoder, byte[] input) {
        try {
            return decoder.decode(new ByteSlice(input));
        } catch (MalformedException e) {
            return "refused: " + e.getMessage();
        }
    }

    private static Object answer(byte[] bytes) throws IOException {
        return ANSWER.read(new ByteArrayInputStream(bytes));
    }

    private static Object list(byte[] bytes) throws IOException {
        return new ListReader(new ByteArrayInputStream(bytes)).read(POD::decode);
    }

    private static Object watch(byte[] bytes) throws IOException {
        WatchReader reader = new WatchReader(new ByteArrayInputStream(bytes), "Pod");
        List<Object> frames = new ArrayList<>();
        for (var frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            switch (frame.get()) {
                case WatchFrame.Changed(ByteSlice object) -> frames.add(POD.decode(object));
                case WatchFrame.Deleted(ByteSlice object) -> frames.add(POD.decode(object));
                case WatchFrame.Bookmark bookmark -> frames.add(bookmark);
                case WatchFrame.Failed failed -> frames.add(failed);
            }
        }
        return frames;
    }

    private static byte[] damaged(Random random, List<byte[]> corpus) {
        byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
        int times = 1 + random.nextInt(2);
        for (int i = 0; i < times; i++) {
            bytes = damagedOnce(random, bytes, corpus);
        }
        return bytes;
    }

    private static byte[] damagedOnce(Random random, byte[] bytes, List<byte[]> corpus) {
        // Bytes inserted after the last field leave all lengths valid.
        int at = random.nextInt(4) == 0 ? bytes.length : random.nextInt(bytes.length + 1);
        return switch (random.nextInt(12)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> replaced(bytes, at, at, length(random));
            case 2 -> replaced(bytes, at, Math.min(bytes.length, at + 1), length(random));
            case 3 -> spliced(random, bytes, at, corpus.get(random.nextInt(corpus.size())));
            case 4 -> nested(random, bytes, at);
            case 5 -> replaced(bytes, at, Math.min(bytes.length, at + random.nextInt(16)), new byte[0]);
            default -> flipped(random, bytes);
        };
    }

    private static byte[] flipped(Random random, byte[] bytes) {
        byte[] flipped = bytes.clone();
        for (int i = random.nextInt(3); i >= 0 && flipped.length > 0; i--) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private static byte[] length(Random random) {
        long length = switch (random.nextInt(5)) {
            case 0 -> random.nextInt(256);
            case 1 -> Integer.MAX_VALUE - random.nextInt(16);
            case 2 -> random.nextInt() & 0xffffffffL;
            case 3 -> random.nextLong();
            default -> Long.MAX_VALUE - random.nextInt(16);
        };
        return message().varint(length).bytes();
    }

    private static byte[] spliced(Random random, byte[] bytes, int at, byte[] other) {
        int from = random.nextInt(other.length);
        int to = from + random.nextInt(Math.min(200, other.length - from) + 1);
        return replaced(
                bytes, at, Math.min(bytes.length, at + random.nextInt(50)), Arrays.copyOfRange(other, from, to));
    }

    /** Inserts deeply nested messages. Their lengths are valid, so only their depth can be an error. */
    private static byte[] nested(Random random, byte[] bytes, int at) {
        int[] fields = {1, 2, 3, 4, 6, 8, 11, 18, 20, 22, 32, 33, 40};
        Message nested = message();
        int depth = random.nextInt(random.nextInt(20) == 0 ? 300 : 12);
        for (int i = 0; i < depth; i++) {
            nested = message().part(fields[random.nextInt(fields.length)], nested);
        }
        return replaced(bytes, at, at, nested.bytes());
    }

    private static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
        byte[] replaced = new byte[bytes.length - (to - from) + by.length];
        System.arraycopy(bytes, 0, replaced, 0, from);
        System.arraycopy(by, 0, replaced, from, by.length);
        System.arraycopy(bytes, to, replaced, from + by.length, bytes.length - to);
        return replaced;
    }
}

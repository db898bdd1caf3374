package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.TestPolicies;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jol.info.GraphLayout;

/**
 * Measures the memory that pods and nodes at the limits take in the engine. They share no text with one another. 2,000
 * of them must fit into half of the heap that the chart gives the operator. The object layout is that of this JVM: the
 * chart's JVM has smaller object headers, so it needs less.
 */
class HostileHeapTest {
    private static final int OBJECTS = 2_000;
    private static final int MEASURED = 40;

    /** 56 % of 448 MiB. */
    private static final long HEAP = 448L * 1024 * 1024 * 56 / 100;

    private static final int MOST_PERCENT = 50;
    private static final int COMMON_LABEL = 48;

    private final Engine engine = new Engine(EngineScenario.settings());

    @BeforeAll
    static void letLambdasBeMeasuredWithoutAnAgent() {
        System.setProperty("jol.magicFieldOffset", "true");
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    private static String word(int object, int number, int length) {
        String begin = String.format(Locale.ROOT, "%05d-%03d", object, number);
        return begin + "x".repeat(length - begin.length());
    }

    private static Message many(int count, IntFunction<Message> one) {
        Message all = message();
        for (int i = 0; i < count; i++) {
            all.raw(one.apply(i).bytes());
        }
        return all;
    }

    private static Message metadata(int object, int labels, int characters) {
        return message()
                .text(1, word(object, 0, 40))
                .text(3, "shop")
                .text(5, word(object, 0, 36))
                .text(6, "4711")
                .raw(many(
                                labels,
                                i -> message()
                                        .entry(11, word(object, i, characters / 2), word(object, i, characters / 2)))
                        .bytes());
    }

    /**
     * The anti-affinity terms of a pod.
     *
     * @param terms the number of terms, each with one expression
     * @param values the number of values of each expression
     * @param namespaces the number of namespaces that each term names
     * @param characters the length of each key and value
     */
    record Terms(int terms, int values, int namespaces, int characters) {
        Message of(int object) {
            return many(terms, i -> message().part(1, term(object, i)));
        }

        private Message term(int object, int number) {
            Message expression = message()
                    .text(1, word(object, number, characters))
                    .text(2, "In")
                    .raw(many(values, i -> message().text(3, word(object, number * values + i, characters)))
                            .bytes());
            return message()
                    .part(1, message().part(2, expression))
                    .raw(many(namespaces, i -> message().text(2, "ns-" + i)).bytes())
                    .text(3, "kubernetes.io/hostname");
        }
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                argumentSet("as many short labels as are read", 64, 20, new Terms(0, 0, 0, 0), 0),
                argumentSet("as many long labels", 24, 126, new Terms(0, 0, 0, 0), 0),
                argumentSet("host ports, claims and extended resources", 0, 0, new Terms(0, 0, 0, 0), 32),
                argumentSet("all, and terms with one value", 64, COMMON_LABEL, new Terms(12, 1, 0, 63), 32),
                argumentSet("all, and terms with four values", 64, COMMON_LABEL, new Terms(12, 4, 0, 60), 32),
                argumentSet("all, and terms with 14 values", 64, COMMON_LABEL, new Terms(12, 14, 0, 20), 32),
                argumentSet("all, and terms with four namespaces", 64, COMMON_LABEL, new Terms(12, 4, 4, 42), 32),
                argumentSet("all, and terms with 13 namespaces", 64, COMMON_LABEL, new Terms(12, 1, 13, 63), 32),
                argumentSet("all, and a term with 180 values", 64, COMMON_LABEL, new Terms(1, 180, 0, 21), 32));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void twoThousandPodsAtTheLimitsTakeAtMostHalfOfTheHeap(int labels, int characters, Terms terms, int needs)
            throws MalformedException {
        NodeDecoder nodes = new NodeDecoder();
        step(new Event.ObjectChanged(new ClusterEvent.NodeChanged(nodes.decode(new ByteSlice(message()
                .part(1, message().text(1, "n1").text(5, "u-n1").text(6, "1").entry(11, "kubernetes.io/hostname", "n1"))
                .bytes())))));
        PodDecoder decoder = new PodDecoder();

        double percent = measured(
                i -> message()
                        .part(1, metadata(i, labels, characters))
                        .part(2, spec(i, terms, needs))
                        .bytes(),
                bytes -> {
                    ClusterEvent.PodChanged pod = new ClusterEvent.PodChanged(decoded(decoder, bytes));
                    assertThat(pod.pod().scheduling().tooComplex()).isEmpty();
                    return pod;
                });

        assertThat(percent).isLessThan(MOST_PERCENT);
    }

    /** {@return a term that matches all pods of all namespaces, and is equal to no other} */
    private static Message wideTerm(int object, int number) {
        Message expression = message().text(1, word(object, number, 63)).text(2, "DoesNotExist");
        return message()
                .part(1, message().part(2, expression))
                .text(3, "kubernetes.io/hostname")
                .part(4, message());
    }

    /** On 1,000 nodes, the rules of these pods would take 3,600 x 1,000 x 72 bytes: 259 MB. */
    @Test
    void rulesThatMatchAllPodsTakeTheirPartOfTheHeapAndNoMore() {
        PodDecoder pods = new PodDecoder();
        NodeDecoder nodes = new NodeDecoder();
        for (View view : View.values()) {
            step(new Event.ViewSynced(view));
        }
        step(new Event.PolicyChanged(TestPolicies.auditing()));
        for (int i = 0; i < 1_000; i++) {
            step(new Event.ObjectChanged(new ClusterEvent.NodeChanged(decoded(
                    nodes,
                    new ByteSlice(message()
                            .part(
                                    1,
                                    message()
                                            .text(1, "n" + i)
                                            .text(5, "u-n" + i)
                                            .text(6, "1")
                                            .entry(11, "kubernetes.io/hostname", "n" + i))
                            .bytes())))));
            step(new Event.ObjectChanged(new ClusterEvent.PodChanged(decoded(
                    pods,
                    new ByteSlice(message()
                            .part(
                                    1,
                                    message()
                                            .text(1, "other-" + i)
                                            .text(3, "others")
                                            .text(5, "u-" + i)
                                            .text(6, "1"))
                            .part(2, message().text(10, "n" + i))
                            .bytes())))));
        }
        long before = GraphLayout.parseInstance(engine).totalSize();

        for (int i = 0; i < 300; i++) {
            int pod = i;
            step(new Event.ObjectChanged(new ClusterEvent.PodChanged(decoded(
                    pods,
                    new ByteSlice(message()
                            .part(1, metadata(i, 1, 20))
                            .part(
                                    2,
                                    message()
                                            .text(10, "n1")
                                            .part(
                                                    18,
                                                    message()
                                                            .part(
                                                                    3,
                                                                    many(
                                                                            12,
                                                                            j -> message()
                                                                                    .part(1, wideTerm(pod, j))))))
                            .bytes())))));
        }

        // Eight MiB for what the rules count, and what the pods and their terms take themselves.
        assertThat(GraphLayout.parseInstance(engine).totalSize() - before).isBetween(2L << 20, 20L << 20);
    }

    private static Message spec(int object, Terms terms, int needs) {
        Message container = message()
                .text(1, "c")
                .raw(many(needs, i -> message().part(6, message().number(2, 1_000 + i)))
                        .bytes())
                .part(8, many(needs, i -> message().part(2, amount(word(object, i, 63)))));
        return message()
                .text(10, "n1")
                .part(18, message().part(3, terms.of(object)))
                .part(2, container)
                .raw(many(needs, i -> message().part(1, message().part(2, claim(word(object, i, 63)))))
                        .bytes());
    }

    private static Message amount(String name) {
        return message().text(1, name).part(2, message().text(1, "1"));
    }

    private static Message claim(String name) {
        return message().part(10, message().text(1, name));
    }

    static Stream<Arguments> nodes() {
        return Stream.of(
                argumentSet("short labels", 320, 20),
                argumentSet("labels of common length", 320, COMMON_LABEL),
                argumentSet("long labels", 120, 126));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void twoThousandNodesAtTheLimitsTakeAtMostThreeFifthsOfTheHeap(int labels, int characters) {
        NodeDecoder decoder = new NodeDecoder();

        double percent =
                measured(i -> message().part(1, metadata(i, labels, characters)).bytes(), bytes -> {
                    ClusterEvent.NodeChanged node = new ClusterEvent.NodeChanged(decoded(decoder, bytes));
                    assertThat(node.node().tooComplex()).isEmpty();
                    return node;
                });

        assertThat(percent).isLessThan(60);
    }

    /** {@return the share of the heap that 2,000 such objects take, in percent} */
    private double measured(IntFunction<byte[]> object, Function<ByteSlice, ClusterEvent> decoder) {
        for (View view : View.values()) {
            step(new Event.ViewSynced(view));
        }
        step(new Event.PolicyChanged(TestPolicies.auditing()));
        step(new Event.ObjectChanged(decoder.apply(new ByteSlice(object.apply(0)))));
        long before = GraphLayout.parseInstance(engine).totalSize();
        for (int i = 1; i <= MEASURED; i++) {
            step(new Event.ObjectChanged(decoder.apply(new ByteSlice(object.apply(i)))));
        }
        long each = (GraphLayout.parseInstance(engine).totalSize() - before) / MEASURED;
        return 100.0 * each * OBJECTS / HEAP;
    }

    private void step(Event event) {
        engine.step(event, EngineScenario.START);
    }

    private static <T> T decoded(ObjectDecoder<T> decoder, ByteSlice bytes) {
        try {
            return decoder.decode(bytes);
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LimitRangeDecoderTest {
    private static final int MAX = 2;
    private static final int MIN = 3;
    private static final int DEFAULT = 4;
    private static final int DEFAULT_REQUEST = 5;

    private static Message item(String type) {
        return message().text(1, type);
    }

    private static Message amount(String name, String amount) {
        return message().text(1, name).part(2, message().text(1, amount));
    }

    private static Message many(int amounts, String name) {
        Message item = item("Pod");
        for (int i = 0; i < amounts; i++) {
            item.part(MAX, amount(name + (10 + i), "1"));
        }
        return item;
    }

    private static LimitRange decode(Message... items) throws MalformedException {
        Message spec = message();
        List.of(items).forEach(item -> spec.part(1, item));
        return new LimitRangeDecoder()
                .decode(new ByteSlice(message()
                        .part(
                                1,
                                message()
                                        .text(1, "small")
                                        .text(3, "shop")
                                        .text(5, "u-1")
                                        .text(6, "12"))
                        .part(2, spec)
                        .bytes()))
                .object();
    }

    private static LimitRange.Item container(
            Map<String, Long> max, Map<String, Long> min, Map<String, Long> limits, Map<String, Long> requests) {
        return new LimitRange.Item(LimitRange.Type.CONTAINER, max, min, limits, requests, Map.of());
    }

    private static Map<String, Long> cpu(long milli) {
        return Map.of("cpu", milli);
    }

    /** The API server stores these defaults. A file may lack them. */
    static Stream<Arguments> defaults() {
        return Stream.of(
                argumentSet(
                        "a maximum is the default limit, and that is the default request",
                        item("Container").part(MAX, amount("cpu", "2")),
                        container(cpu(2_000), Map.of(), cpu(2_000), cpu(2_000))),
                argumentSet(
                        "a default limit is the default request, before the minimum",
                        item("Container")
                                .part(MAX, amount("cpu", "2"))
                                .part(MIN, amount("cpu", "100m"))
                                .part(DEFAULT, amount("cpu", "1")),
                        container(cpu(2_000), cpu(100), cpu(1_000), cpu(1_000))),
                argumentSet(
                        "a minimum is the default request",
                        item("Container").part(MIN, amount("cpu", "100m")),
                        container(Map.of(), cpu(100), Map.of(), cpu(100))),
                argumentSet(
                        "a default request counts before all",
                        item("Container")
                                .part(MIN, amount("cpu", "100m"))
                                .part(DEFAULT, amount("cpu", "1"))
                                .part(DEFAULT_REQUEST, amount("cpu", "500m")),
                        container(Map.of(), cpu(100), cpu(1_000), cpu(500))),
                argumentSet(
                        "a pod has no defaults",
                        item("Pod").part(MAX, amount("cpu", "2")).part(DEFAULT, amount("cpu", "1")),
                        new LimitRange.Item(LimitRange.Type.POD, cpu(2_000), Map.of(), Map.of(), Map.of(), Map.of())));
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void defaultsFollowFromMinimumAndMaximum(Message item, LimitRange.Item expected) throws MalformedException {
        assertThat(decode(item).items()).containsExactly(expected);
    }

    @Test
    void itemsAboutOtherKindsAreLeftOut() throws MalformedException {
        assertThat(decode(
                                item("PersistentVolumeClaim").part(MAX, amount("storage", "1Gi")),
                                item("openshift.io/Image").part(MAX, amount("storage", "1Gi")),
                                many(0, ""))
                        .items())
                .extracting(LimitRange.Item::type)
                .containsExactly(LimitRange.Type.POD);
    }

    @Test
    void amountsAreRoundedUpToThousandthsAndAtMostTheLargestLong() throws MalformedException {
        assertThat(decode(item("Pod").part(MAX, amount("cpu", "1u")).part(MAX, amount("memory", "9E")))
                        .items()
                        .getFirst()
                        .max())
                .isEqualTo(Map.of("cpu", 1L, "memory", Long.MAX_VALUE));
    }

    @Test
    void allAmountsOfUpTo64AreRead() throws MalformedException {
        LimitRange limitRange = decode(many(64, "example.com/a-"));

        assertThat(limitRange.isUnread()).isFalse();
        assertThat(limitRange.items().getFirst().max()).hasSize(64);
    }

    static Stream<Arguments> tooMany() {
        return Stream.of(
                argumentSet("65 amounts", List.of(many(65, "example.com/a-"))),
                argumentSet("33 and 32 amounts", List.of(many(33, "a-"), many(32, "b-"))),
                argumentSet("21 amounts with 2,100 characters", List.of(many(21, "x".repeat(98)))));
    }

    @ParameterizedTest
    @MethodSource("tooMany")
    void ofMoreAmountsNoneIsRead(List<Message> items) throws MalformedException {
        assertThat(decode(items.toArray(Message[]::new)))
                .isEqualTo(LimitRange.unread("u-1", new NamespacedName("shop", "small")));
    }

    @Test
    void nothingIsLeftOfTheObjectBefore() throws MalformedException {
        assertThat(decode(many(65, "example.com/a-")).isUnread()).isTrue();
        assertThat(decode().items()).isEmpty();
    }

    @Test
    void whatIsNoQuantityIsRefused() {
        assertThatThrownBy(() -> decode(item("Pod").part(MAX, amount("cpu", "1x"))))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("\"1x\" is not a quantity");
    }
}

package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pods on both sides of each limit. */
class PodLimitsTest {
    private final PodDecoder decoder = new PodDecoder();

    static Stream<Arguments> parts() {
        return Stream.of(
                labels("128 labels", 128, ""),
                labels("129 labels", 129, "it has 129 labels, and Holdfast reads at most 128"),
                argumentSet(
                        "128 labels of 64 characters",
                        many(128, i -> label(Integer.toString(1_000 + i), "v".repeat(60))),
                        message(),
                        ""),
                argumentSet(
                        "128 labels of 64 characters, and one character",
                        many(128, i -> label(Integer.toString(1_000 + i), "v".repeat(i == 0 ? 61 : 60))),
                        message(),
                        "it has 8,193 characters in its labels, and Holdfast reads at most 8,192"),
                spec("32 anti-affinity terms", apart(32), ""),
                spec(
                        "33 anti-affinity terms",
                        apart(33),
                        "it has 33 required pod (anti-)affinity terms and spread constraints, and Holdfast reads at"
                                + " most 32"),
                spec(
                        "20 affinity terms and 13 spread constraints",
                        message()
                                .part(
                                        18,
                                        message()
                                                .part(2, many(20, _ -> message().part(1, term()))))
                                .raw(many(13, _ -> message().part(33, spread())).bytes()),
                        "it has 33 required pod (anti-)affinity terms and spread constraints, and Holdfast reads at"
                                + " most 32"),
                spec("a node affinity term with one expression of 254 values", nodes(254, "n"), ""),
                spec(
                        "a node affinity term with one expression of 255 values",
                        nodes(255, "n"),
                        "it has 257 terms, expressions, values and tolerations, and Holdfast reads at most 256"),
                spec(
                        "257 empty node affinity terms",
                        message()
                                .part(
                                        18,
                                        message()
                                                .part(
                                                        1,
                                                        message()
                                                                .part(
                                                                        1,
                                                                        many(
                                                                                257,
                                                                                _ -> message()
                                                                                        .part(1, message()))))),
                        "it has 257 terms, expressions, values and tolerations, and Holdfast reads at most 256"),
                spec(
                        "257 tolerations",
                        many(257, _ -> message().part(22, message().text(2, "Exists"))),
                        "it has 257 terms, expressions, values and tolerations, and Holdfast reads at most 256"),
                spec(
                        "257 labels in the node selector",
                        many(257, i -> message().entry(7, "k" + i, "v")),
                        "it has 257 terms, expressions, values and tolerations, and Holdfast reads at most 256"),
                spec(
                        "an anti-affinity term with 256 namespaces",
                        message()
                                .part(
                                        18,
                                        message()
                                                .part(
                                                        3,
                                                        message()
                                                                .part(
                                                                        1,
                                                                        term().raw(many(
                                                                                        256,
                                                                                        i -> message()
                                                                                                .text(2, "ns" + i))
                                                                                .bytes())))),
                        "it has 258 terms, expressions, values and tolerations, and Holdfast reads at most 256"),
                spec(
                        "200 values of 41 characters",
                        nodes(200, "n".repeat(38)),
                        "it has 8,204 characters in its required rules and tolerations, and Holdfast reads at most"
                                + " 8,192"),
                spec("10,000 preferred terms, which are not read", preferred(10_000), ""),
                spec("256 host ports", ports(256), ""),
                spec(
                        "257 host ports",
                        ports(257),
                        "it has 257 host ports, volume claims and extended resources, and Holdfast reads at most 256"),
                spec(
                        "257 volume claims",
                        many(
                                257,
                                i -> message()
                                        .part(
                                                1,
                                                message()
                                                        .part(
                                                                2,
                                                                message()
                                                                        .part(
                                                                                10,
                                                                                message()
                                                                                        .text(1, "claim-" + i))))),
                        "it has 257 host ports, volume claims and extended resources, and Holdfast reads at most 256"));
    }

    private static Arguments labels(String name, int count, String expected) {
        return argumentSet(name, many(count, i -> label("k" + i, "")), message(), expected);
    }

    private static Arguments spec(String name, Message spec, String expected) {
        return argumentSet(name, message(), spec, expected);
    }

    private static Message label(String key, String value) {
        return message().entry(11, key, value);
    }

    private static Message many(int count, IntFunction<Message> one) {
        Message all = message();
        for (int i = 0; i < count; i++) {
            all.raw(one.apply(i).bytes());
        }
        return all;
    }

    private static Message term() {
        return message().part(1, message().entry(1, "app", "web")).text(3, "zone");
    }

    private static Message spread() {
        return message().number(1, 1).text(2, "zone").text(3, "DoNotSchedule");
    }

    private static Message apart(int terms) {
        return message().part(18, message().part(3, many(terms, _ -> message().part(1, term()))));
    }

    private static Message preferred(int terms) {
        return message()
                .part(
                        18,
                        message()
                                .part(
                                        3,
                                        many(
                                                terms,
                                                _ -> message()
                                                        .part(
                                                                2,
                                                                message()
                                                                        .number(1, 1)
                                                                        .part(2, term())))));
    }

    private static Message nodes(int values, String prefix) {
        Message expression = message()
                .text(1, "host")
                .text(2, "In")
                .raw(many(values, i -> message().text(3, prefix + (100 + i))).bytes());
        return message()
                .part(
                        18,
                        message()
                                .part(
                                        1,
                                        message()
                                                .part(
                                                        1,
                                                        message()
                                                                .part(
                                                                        1,
                                                                        message()
                                                                                .part(1, expression)))));
    }

    private static Message ports(int count) {
        return message()
                .part(
                        2,
                        message()
                                .text(1, "c")
                                .raw(many(
                                                count,
                                                i -> message().part(6, message().number(2, 1_000 + i)))
                                        .bytes()));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void whatAPodMayHave(Message metadata, Message spec, String expected) throws MalformedException {
        Pod pod = decode(metadata, spec);

        assertThat(pod.scheduling().tooComplex())
                .isEqualTo(Optional.of(expected).filter(it -> !it.isEmpty()));
        if (!expected.isEmpty()) {
            assertThat(pod.scheduling()).isEqualTo(Scheduling.tooComplex(expected));
            assertThat(pod.labels().size() + pod.podRequirements().claims().size())
                    .isLessThan(PodLimits.LABELS);
        }
    }

    @ParameterizedTest
    @MethodSource("parts")
    void nothingIsLeftOfItForTheNextPod(Message metadata, Message spec, String expected) throws MalformedException {
        decode(metadata, spec);

        Pod next = decode(message(), message());
        assertThat(next.scheduling()).isEqualTo(Scheduling.anywhere());
        assertThat(next.podRequirements()).isEqualTo(PodRequirements.none());
        assertThat(next.labels()).isEqualTo(Labels.none());
    }

    private Pod decode(Message metadata, Message spec) throws MalformedException {
        Message identity =
                message().text(1, "web-1").text(3, "shop").text(5, "u-1").text(6, "4711");
        return decoder.decode(new ByteSlice(
                message().part(1, identity.raw(metadata.bytes())).part(2, spec).bytes()));
    }
}

package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pods on both sides of each limit. */
class PodLimitsTest {
    private final PodDecoder decoder =
            new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none());

    static Stream<Arguments> parts() {
        return Stream.of(
                labels("64 labels", 64, ""),
                labels("65 labels", 65, "it has 65 labels, and Holdfast reads at most 64"),
                argumentSet(
                        "64 labels of 48 characters",
                        many(64, i -> label(Integer.toString(1_000 + i), "v".repeat(44))),
                        message(),
                        ""),
                argumentSet(
                        "64 labels of 48 characters, and one character",
                        many(64, i -> label(Integer.toString(1_000 + i), "v".repeat(i == 0 ? 45 : 44))),
                        message(),
                        "it has 3,073 characters in its labels, and Holdfast reads at most 3,072"),
                spec("12 anti-affinity terms", apart(12), ""),
                spec(
                        "13 anti-affinity terms",
                        apart(13),
                        "it has 13 required pod (anti-)affinity terms and spread constraints, and Holdfast reads at"
                                + " most 12"),
                spec(
                        "7 affinity terms and 6 spread constraints",
                        message()
                                .part(
                                        18,
                                        message().part(2, many(7, _ -> message().part(1, term()))))
                                .raw(many(6, _ -> message().part(33, spread())).bytes()),
                        "it has 13 required pod (anti-)affinity terms and spread constraints, and Holdfast reads at"
                                + " most 12"),
                spec("a node affinity term with one expression of 190 values", nodes(190, "n"), ""),
                spec(
                        "a node affinity term with one expression of 191 values",
                        nodes(191, "n"),
                        "it has 193 terms, expressions, values and tolerations, and Holdfast reads at most 192"),
                spec(
                        "193 empty node affinity terms",
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
                                                                                193,
                                                                                _ -> message()
                                                                                        .part(1, message()))))),
                        "it has 193 terms, expressions, values and tolerations, and Holdfast reads at most 192"),
                spec(
                        "193 tolerations",
                        many(193, _ -> message().part(22, message().text(2, "Exists"))),
                        "it has 193 terms, expressions, values and tolerations, and Holdfast reads at most 192"),
                spec(
                        "193 labels in the node selector",
                        many(193, i -> message().entry(7, "k" + i, "v")),
                        "it has 193 terms, expressions, values and tolerations, and Holdfast reads at most 192"),
                spec(
                        "an anti-affinity term with 192 namespaces",
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
                                                                                        192,
                                                                                        i -> message()
                                                                                                .text(2, "ns" + i))
                                                                                .bytes())))),
                        "it has 194 terms, expressions, values and tolerations, and Holdfast reads at most 192"),
                spec(
                        "150 values of 28 characters",
                        nodes(150, "n".repeat(25)),
                        "it has 4,204 characters in its required rules and tolerations, and Holdfast reads at most"
                                + " 4,096"),
                spec("10,000 preferred terms, which limit no rule", preferred(10_000), ""),
                spec("32 host ports", ports(32), ""),
                spec("33 host ports", ports(33), "it has 33 host ports, and Holdfast reads at most 32"),
                spec("32 volume claims", claims(32, "claim-"), ""),
                spec(
                        "33 volume claims",
                        claims(33, "claim-"),
                        "it has 33 volume claims, and Holdfast reads at most 32"),
                spec(
                        "21 volume claims of 102 characters",
                        claims(21, "c".repeat(100)),
                        "it has 2,142 characters in its volume claims, and Holdfast reads at most 2,048"),
                spec(
                        "a volume claim of 254 characters",
                        claims(1, "c".repeat(252)),
                        "it has 254 characters in the name of a volume claim, and Holdfast reads at most 253"),
                spec("one volume claim under 33 names", many(33, _ -> claims(1, "claim-")), ""),
                spec("32 extended resources", resources(32), ""),
                spec("33 extended resources of which nothing is requested", resources(33, "0"), ""),
                spec(
                        "33 extended resources",
                        resources(33),
                        "it has 33 extended resources, and Holdfast reads at most 32"));
    }

    private static Message claims(int count, String prefix) {
        return many(
                count,
                i -> message()
                        .part(1, message().part(2, message().part(10, message().text(1, prefix + (10 + i))))));
    }

    private static Message resources(int count) {
        return resources(count, "1");
    }

    private static Message resources(int count, String quantity) {
        return message()
                .part(
                        2,
                        message()
                                .text(1, "c")
                                .part(
                                        8,
                                        many(count, i -> message().part(2, amount("example.com/r-" + i, quantity)))
                                                .part(2, amount("cpu", "250m"))
                                                .part(2, amount("memory", "64"))));
    }

    private static Message amount(String name, String quantity) {
        return message().text(1, name).part(2, message().text(1, quantity));
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
            assertThat(pod.scheduling())
                    .isEqualTo(Scheduling.tooComplex(expected, pod.scheduling().podAntiAffinity()));
        }
    }

    static Stream<Arguments> preferences() {
        return Stream.of(
                argumentSet("64 preferred terms", preferred(64), ""),
                argumentSet(
                        "65 preferred terms",
                        preferred(65),
                        "it has 65 preferred terms and soft spread constraints, and Holdfast reads at most 64"),
                argumentSet(
                        "65 soft spread constraints",
                        many(
                                65,
                                _ -> message()
                                        .part(33, message().text(2, "zone").text(3, "ScheduleAnyway"))),
                        "it has 65 preferred terms and soft spread constraints, and Holdfast reads at most 64"),
                argumentSet(
                        "a preferred term with one label and 191 namespaces",
                        preferring(many(191, i -> message().text(2, "n" + i))),
                        "it has 193 expressions and values in its preferred terms, and Holdfast reads at most 192"),
                argumentSet(
                        "a preferred term with 4,097 characters",
                        preferring(many(61, i -> message().text(2, "n".repeat(67)))),
                        "it has 4,097 characters in its preferred terms, and Holdfast reads at most 4,096"));
    }

    @ParameterizedTest
    @MethodSource("preferences")
    void whatAPodMayPrefer(Message spec, String expected) throws MalformedException {
        Scheduling scheduling = decode(message(), spec.raw(apart(1).bytes())).scheduling();

        assertThat(scheduling.preferences().unread())
                .isEqualTo(Optional.of(expected).filter(it -> !it.isEmpty()));
        assertThat(scheduling.preferences().podAntiAffinity().size()
                        + scheduling.preferences().topologySpread().size())
                .isEqualTo(expected.isEmpty() ? 64 : 0);
        assertThat(scheduling.podAntiAffinity()).hasSize(1);
    }

    /** One preferred anti-affinity term with further fields. */
    private static Message preferring(Message fields) {
        return message().part(18, message().part(3, message().part(2, message().part(2, term().raw(fields.bytes())))));
    }

    @Test
    void theAntiAffinityOfAPodWithTooManyRulesCountsAsOneToAllPods() throws MalformedException {
        Message terms = many(10, _ -> message().part(1, term()))
                .part(1, message().text(3, "host").text(2, "other"))
                .part(1, message().text(3, "host"))
                .part(1, message().text(3, "rack").part(4, message()));

        assertThat(decode(message(), message().part(18, message().part(3, terms)))
                        .scheduling()
                        .podAntiAffinity())
                .containsExactly(
                        toAll("host", Optional.of(LabelSelector.everything())),
                        toAll("rack", Optional.of(LabelSelector.everything())),
                        toAll("zone", Optional.empty()));
    }

    @Test
    void ofTooManyTopologyKeysTheUsualOnesCountWhateverComesBefore() throws MalformedException {
        Message terms = many(20, i -> message().part(1, message().text(3, "junk-" + (100 + i))))
                .part(1, message().text(3, "topology.kubernetes.io/zone"))
                .part(1, message().text(3, "kubernetes.io/hostname").part(4, message()));

        assertThat(decode(message(), message().part(18, message().part(3, terms)))
                        .scheduling()
                        .podAntiAffinity())
                .hasSize(12)
                .contains(
                        toAll("kubernetes.io/hostname", Optional.of(LabelSelector.everything())),
                        toAll("topology.kubernetes.io/zone", Optional.empty()),
                        toAll("junk-109", Optional.empty()))
                .doesNotContain(toAll("junk-110", Optional.empty()));
    }

    private static PodAffinityTerm toAll(String topologyKey, Optional<LabelSelector> namespaces) {
        return new PodAffinityTerm(
                Optional.of(LabelSelector.everything()), List.of(), namespaces, topologyKey, List.of(), List.of());
    }

    @Test
    void theAntiAffinityOfAPodWithTooManyLabelsCountsAsItIs() throws MalformedException {
        Pod pod = decode(many(65, i -> label("k" + i, "")), apart(1));

        assertThat(pod.labels()).isEqualTo(Labels.unread());
        assertThat(pod.scheduling().podAntiAffinity())
                .isEqualTo(decode(message(), apart(1)).scheduling().podAntiAffinity());
    }

    @Test
    void thePlaceOfAPodWithTooManyOtherPartsIsKnown() throws MalformedException {
        Message resources = resources(33);
        PodRequirements known =
                decode(many(65, i -> label("k" + i, "")), resources(32)).podRequirements();
        PodRequirements some = decode(message(), resources).podRequirements();
        PodRequirements ports = decode(message(), ports(33)).podRequirements();
        PodRequirements claims = decode(message(), claims(33, "claim-")).podRequirements();

        assertThat(known.reserved().others()).hasSize(32);
        assertThat(some.reserved()).isEqualTo(new Resources(250, 64, 0, 0, Map.of(Resources.UNREAD, 1L)));
        assertThat(ports)
                .isEqualTo(PodRequirements.none().with(ports.containers()).withUnreadHostPorts());
        assertThat(claims).isEqualTo(PodRequirements.none().withUnreadClaims());
        assertThat(claims.hasUnreadClaims()).isTrue();
    }

    private static Message containers(int count, String name) {
        return many(count, i -> message().part(2, message().text(1, name + (100 + i))));
    }

    static Stream<Arguments> containers() {
        Message amounts = many(
                32,
                i -> message()
                        .part(2, amount("example.com/r-" + i, "1"))
                        .part(1, amount("example.com/r-" + i, "1"))
                        .part(1, amount("example.com/s-" + i, "1"))
                        .part(1, amount("example.com/t-" + i, "1")));
        return Stream.of(
                argumentSet("128 containers", containers(128, "c"), false),
                argumentSet("129 containers", containers(129, "c"), true),
                argumentSet("41 containers with 4,141 characters", containers(41, "c".repeat(98)), true),
                argumentSet(
                        "a container with 32 requests and 96 limits",
                        message().part(2, message().text(1, "c").part(8, amounts)),
                        true));
    }

    /** Such a pod is not too complex: only a LimitRange asks for its containers. */
    @ParameterizedTest
    @MethodSource("containers")
    void ofMoreContainersNoneIsRead(Message spec, boolean unread) throws MalformedException {
        Pod pod = decode(message(), spec);

        assertThat(pod.podRequirements().hasUnreadContainers()).isEqualTo(unread);
        assertThat(pod.podRequirements().containers().size() > 1).isNotEqualTo(unread);
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

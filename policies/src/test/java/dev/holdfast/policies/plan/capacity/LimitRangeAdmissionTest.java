package dev.holdfast.policies.plan.capacity;

import static dev.holdfast.policies.testing.Changes.limitRangeChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.ReferenceCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which new pods the API server refuses because of LimitRanges. Amounts are millicores, or thousandths of a byte.
 */
class LimitRangeAdmissionTest {
    private static final Map<String, Long> NONE = Map.of();

    private static Map<String, Long> cpu(long milli) {
        return Map.of("cpu", milli);
    }

    private static Container app(Map<String, Long> requests, Map<String, Long> limits) {
        return new Container("web", Role.APP, requests, limits);
    }

    private static Container init(Map<String, Long> requests, Map<String, Long> limits) {
        return new Container("first", Role.INIT, requests, limits);
    }

    private static Container sidecar(Map<String, Long> requests, Map<String, Long> limits) {
        return new Container("proxy", Role.SIDECAR, requests, limits);
    }

    private static Container pod(Map<String, Long> requests, Map<String, Long> limits) {
        return new Container("", Role.POD, requests, limits);
    }

    private static LimitRange.Item max(LimitRange.Type type, Map<String, Long> max) {
        return new LimitRange.Item(type, max, NONE, NONE, NONE, NONE);
    }

    private static LimitRange.Item max(long milli) {
        return max(LimitRange.Type.CONTAINER, cpu(milli));
    }

    private static LimitRange.Item maxOfPod(long milli) {
        return max(LimitRange.Type.POD, cpu(milli));
    }

    private static LimitRange.Item min(LimitRange.Type type, long milli) {
        return new LimitRange.Item(type, NONE, cpu(milli), NONE, NONE, NONE);
    }

    private static LimitRange.Item ratio(LimitRange.Type type, long thousandths) {
        return new LimitRange.Item(type, NONE, NONE, NONE, NONE, cpu(thousandths));
    }

    private static LimitRange.Item defaults(Map<String, Long> limits, Map<String, Long> requests) {
        return new LimitRange.Item(LimitRange.Type.CONTAINER, NONE, NONE, limits, requests, NONE);
    }

    /** An item with a maximum, and with the defaults that the API server adds to it. */
    private static LimitRange.Item usual(long max, long limit, long request) {
        return new LimitRange.Item(LimitRange.Type.CONTAINER, cpu(max), NONE, cpu(limit), cpu(request), NONE);
    }

    private static List<ClusterEvent> of(LimitRange.Item... items) {
        return List.of(limitRangeChanged("small", items));
    }

    private static List<ClusterEvent> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> limitRangeChanged("r" + i, max(8_000)))
                .toList();
    }

    private static Arguments admitted(String name, List<ClusterEvent> limitRanges, Container... containers) {
        return argumentSet(name, limitRanges, List.of(containers), Optional.empty());
    }

    private static Arguments refused(String name, String why, List<ClusterEvent> limitRanges, Container... containers) {
        return argumentSet(name, limitRanges, List.of(containers), Optional.of(why));
    }

    private static String fix(String why) {
        return why + "; change the LimitRange or the pod template";
    }

    private static String ofContainer(String rule, String actual) {
        return fix("LimitRange small sets " + rule + " for each container, and " + actual);
    }

    private static String ofPod(String rule, String actual) {
        return fix("LimitRange small sets " + rule + " for each pod, and the pod " + actual);
    }

    @Test
    void defaultsOfEightLimitRangesAreRead() {
        List<LimitRange> limitRanges = IntStream.rangeClosed(1, 9)
                .mapToObj(i ->
                        new LimitRange("r" + i, new NamespacedName("shop", "r" + i), List.of(defaults(NONE, cpu(i)))))
                .toList();

        assertThat(LimitRangeAdmission.withDefaults(List.of(app(NONE, NONE)), limitRanges))
                .containsExactly(app(cpu(8), NONE));
        assertThat(LimitRangeAdmission.raised(List.of(app(cpu(2), NONE)), limitRanges))
                .containsExactly(app(cpu(8), NONE));
    }

    static Stream<Arguments> containers() {
        return Stream.of(
                admitted("a limit at the maximum: 1 <= 1", of(max(1_000)), app(cpu(500), cpu(1_000))),
                refused(
                        "a limit above the maximum: 1.001 > 1",
                        ofContainer("a maximum of 1 of cpu", "container web has a limit of 1.001"),
                        of(max(1_000)),
                        app(cpu(500), cpu(1_001))),
                refused(
                        "no limit, and no default: the container has no maximum",
                        ofContainer("a maximum of 1 of cpu", "container web has no limit"),
                        of(max(1_000)),
                        app(cpu(500), NONE)),
                refused(
                        "a request above the maximum, and a limit of 0",
                        ofContainer("a maximum of 1 of cpu", "container web requests 2"),
                        of(max(1_000)),
                        app(cpu(2_000), cpu(0))),
                admitted("a request at the minimum", of(min(LimitRange.Type.CONTAINER, 100)), app(cpu(100), NONE)),
                refused(
                        "a request below the minimum: 99m < 100m",
                        ofContainer("a minimum of 0.1 of cpu", "container web requests 0.099"),
                        of(min(LimitRange.Type.CONTAINER, 100)),
                        app(cpu(99), NONE)),
                refused(
                        "no request, and no default",
                        ofContainer("a minimum of 0.1 of cpu", "container web requests none"),
                        of(min(LimitRange.Type.CONTAINER, 100)),
                        app(NONE, NONE)),
                refused(
                        "a minimum of 0 is a minimum: a container without a request is refused",
                        ofContainer("a minimum of 0 of cpu", "container web requests none"),
                        of(min(LimitRange.Type.CONTAINER, 0)),
                        app(NONE, NONE)),
                admitted("a request of 0 at a minimum of 0", of(min(LimitRange.Type.CONTAINER, 0)), app(cpu(0), NONE)),
                refused(
                        "a limit below the minimum",
                        ofContainer("a minimum of 0.1 of cpu", "container web has a limit of 0.05"),
                        of(min(LimitRange.Type.CONTAINER, 100)),
                        app(cpu(100), cpu(50))),
                admitted(
                        "a limit without a request is the request",
                        of(min(LimitRange.Type.CONTAINER, 100)),
                        app(NONE, cpu(100))),
                admitted(
                        "a ratio at the largest: 2 / 1",
                        of(ratio(LimitRange.Type.CONTAINER, 2_000)),
                        app(cpu(1_000), cpu(2_000))),
                refused(
                        "a ratio above the largest: 2.001 / 1 > 2",
                        ofContainer(
                                "a limit of at most 2 times the request of cpu",
                                "container web has a limit of 2.001 and requests 1"),
                        of(ratio(LimitRange.Type.CONTAINER, 2_000)),
                        app(cpu(1_000), cpu(2_001))),
                refused(
                        "a ratio needs a request above 0",
                        ofContainer("a limit of at most 2 times the request of cpu", "container web requests none"),
                        of(ratio(LimitRange.Type.CONTAINER, 2_000)),
                        app(cpu(0), cpu(1_000))),
                refused(
                        "a ratio needs a limit",
                        ofContainer("a limit of at most 2 times the request of cpu", "container web has no limit"),
                        of(ratio(LimitRange.Type.CONTAINER, 2_000)),
                        app(cpu(1_000), NONE)),
                admitted("another resource", of(max(LimitRange.Type.CONTAINER, Map.of())), app(cpu(1_000), NONE)),
                refused(
                        "an init container counts as any other",
                        ofContainer("a maximum of 1 of cpu", "init container first has a limit of 2"),
                        of(max(1_000)),
                        app(cpu(500), cpu(500)),
                        init(cpu(500), cpu(2_000))),
                refused(
                        "a sidecar counts as any other",
                        ofContainer("a maximum of 1 of cpu", "container proxy has a limit of 2"),
                        of(max(1_000)),
                        sidecar(cpu(500), cpu(2_000))),
                admitted(
                        "the resources of the pod as a whole are no container",
                        of(max(1_000)),
                        app(cpu(500), cpu(500)),
                        pod(cpu(9_000), cpu(9_000))));
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                admitted(
                        "a pod whose containers request nothing requests its limit: 2 >= 1",
                        of(min(LimitRange.Type.POD, 1_000)),
                        app(NONE, NONE),
                        pod(NONE, cpu(2_000))),
                refused(
                        "a pod whose containers request 300m requests as much, whatever its limit is: 0.3 < 1",
                        ofPod("a minimum of 1 of cpu", "requests 0.3"),
                        of(min(LimitRange.Type.POD, 1_000)),
                        app(cpu(300), NONE),
                        pod(NONE, cpu(2_000))),
                refused(
                        "a pod without a limit, whose container has one, has its request as its limit: 1 > 0.8",
                        ofPod("a maximum of 0.8 of cpu", "has a limit of 1"),
                        of(maxOfPod(800)),
                        app(cpu(100), cpu(500)),
                        pod(cpu(1_000), NONE)),
                admitted(
                        "the sum of containers and sidecars is at the maximum: 1 + 0.5",
                        of(maxOfPod(1_500)),
                        app(cpu(1_000), cpu(1_000)),
                        sidecar(cpu(500), cpu(500))),
                refused(
                        "the sum of containers and sidecars is above the maximum: 1 + 0.5 > 1.4",
                        ofPod("a maximum of 1.4 of cpu", "has a limit of 1.5"),
                        of(maxOfPod(1_400)),
                        app(cpu(1_000), cpu(1_000)),
                        sidecar(cpu(500), cpu(500))),
                admitted(
                        "an init container ends before the others: max(1.4, 1)",
                        of(maxOfPod(1_400)),
                        init(cpu(1_400), cpu(1_400)),
                        app(cpu(1_000), cpu(1_000))),
                refused(
                        "an init container beside a sidecar that began before it: 1.4 + 0.5",
                        ofPod("a maximum of 1.8 of cpu", "has a limit of 1.9"),
                        of(maxOfPod(1_800)),
                        sidecar(cpu(500), cpu(500)),
                        init(cpu(1_400), cpu(1_400)),
                        app(cpu(100), cpu(100))),
                admitted(
                        "one container without a limit adds nothing",
                        of(maxOfPod(1_000)),
                        app(cpu(1_000), cpu(1_000)),
                        sidecar(NONE, NONE)),
                refused(
                        "no container has a limit",
                        ofPod("a maximum of 1 of cpu", "has no limit"),
                        of(maxOfPod(1_000)),
                        app(cpu(500), NONE)),
                refused(
                        "the sum is below the minimum",
                        ofPod("a minimum of 2 of cpu", "requests 1.5"),
                        of(min(LimitRange.Type.POD, 2_000)),
                        app(cpu(1_000), NONE),
                        sidecar(cpu(500), NONE)),
                refused(
                        "the ratio of the sums: 3 / 1",
                        ofPod("a limit of at most 2 times the request of cpu", "has a limit of 3 and requests 1"),
                        of(ratio(LimitRange.Type.POD, 2_000)),
                        app(cpu(500), cpu(1_000)),
                        sidecar(cpu(500), cpu(2_000))),
                admitted(
                        "the resources of the pod as a whole replace the sum: 1 instead of 1.6",
                        of(maxOfPod(1_000)),
                        app(cpu(400), cpu(800)),
                        sidecar(cpu(400), cpu(800)),
                        pod(cpu(1_000), cpu(1_000))),
                refused(
                        "the resources of the pod as a whole do not replace the sum of devices",
                        ofPod("a maximum of 1 of example.com/gpu", "has a limit of 2"),
                        of(max(LimitRange.Type.POD, Map.of("example.com/gpu", 1_000L))),
                        app(NONE, Map.of("example.com/gpu", 2_000L)),
                        pod(NONE, Map.of("example.com/gpu", 1_000L))),
                refused(
                        "excessive amounts do not overflow",
                        ofPod("a maximum of 1 of cpu", "has a limit of 9223372036854775.807"),
                        of(maxOfPod(1_000)),
                        app(cpu(1), cpu(Long.MAX_VALUE)),
                        sidecar(cpu(1), cpu(Long.MAX_VALUE))));
    }

    static Stream<Arguments> defaults() {
        return Stream.of(
                admitted("a default limit at the maximum", of(usual(1_000, 1_000, 500)), app(NONE, NONE)),
                refused(
                        "a default limit does not replace a limit",
                        ofContainer("a maximum of 1 of cpu", "container web has a limit of 2"),
                        of(usual(1_000, 1_000, 500)),
                        app(cpu(500), cpu(2_000))),
                refused(
                        "a default limit below the request of the container",
                        fix("LimitRange small sets a default limit of 1 of cpu, and container web requests 1.5"),
                        of(usual(2_000, 1_000, 500)),
                        app(cpu(1_500), NONE)),
                admitted("a default limit at the request", of(usual(2_000, 1_500, 500)), app(cpu(1_500), NONE)),
                admitted(
                        "a default limit below the request of the pod as a whole",
                        of(defaults(cpu(1_000), NONE)),
                        pod(cpu(1_500), NONE)),
                admitted(
                        "a default request satisfies a minimum",
                        of(min(LimitRange.Type.CONTAINER, 100), defaults(NONE, cpu(100))),
                        app(NONE, NONE)),
                refused(
                        "a default request of 0 replaces no request of 0",
                        ofContainer("a minimum of 0.1 of cpu", "container web requests 0"),
                        of(min(LimitRange.Type.CONTAINER, 100), defaults(NONE, cpu(100))),
                        app(cpu(0), NONE)),
                refused(
                        "defaults count in the sum of the pod: 1 + 1",
                        ofPod("a maximum of 1.5 of cpu", "has a limit of 2"),
                        of(maxOfPod(1_500), defaults(cpu(1_000), cpu(100))),
                        app(NONE, NONE),
                        init(NONE, NONE),
                        sidecar(NONE, NONE)),
                refused(
                        "a default of one LimitRange, and the maximum of another",
                        ofContainer("a maximum of 1 of cpu", "container web has a limit of 2"),
                        List.of(
                                limitRangeChanged("defaults", defaults(cpu(2_000), cpu(100))),
                                limitRangeChanged("small", max(1_000))),
                        app(NONE, NONE)),
                refused(
                        "of two defaults, the API server may apply the larger one",
                        ofContainer("a maximum of 1 of cpu", "container web has a limit of 2"),
                        List.of(
                                limitRangeChanged("large", defaults(cpu(2_000), cpu(100))),
                                limitRangeChanged("small", usual(1_000, 1_000, 100))),
                        app(NONE, NONE)),
                refused(
                        "of two defaults, the API server may apply the smaller one",
                        ofContainer("a minimum of 0.1 of cpu", "container web requests 0.05"),
                        List.of(
                                limitRangeChanged("fifty", defaults(NONE, cpu(50))),
                                limitRangeChanged(
                                        "small", min(LimitRange.Type.CONTAINER, 100), defaults(NONE, cpu(100)))),
                        app(NONE, NONE)));
    }

    static Stream<Arguments> defaultsAboveThePod() {
        return Stream.of(
                refused(
                        "a default limit above the limit of the pod as a whole: 2 > 1",
                        fix("LimitRange small sets a default limit of 2 of cpu, and the pod has a limit of 1 for"
                                + " all its containers"),
                        of(defaults(cpu(2_000), cpu(500))),
                        app(NONE, NONE),
                        pod(cpu(1_000), cpu(1_000))),
                admitted(
                        "a default limit at the limit of the pod as a whole: 1 <= 1",
                        of(defaults(cpu(1_000), cpu(500))),
                        app(NONE, NONE),
                        pod(cpu(1_000), cpu(1_000))),
                admitted(
                        "a limit of its own below the limit of the pod as a whole",
                        of(defaults(cpu(2_000), cpu(500))),
                        app(cpu(100), cpu(100)),
                        pod(cpu(1_000), cpu(1_000))),
                admitted(
                        "a default limit of an init container, which is not compared",
                        of(defaults(cpu(2_000), cpu(500))),
                        app(cpu(100), cpu(100)),
                        init(NONE, NONE),
                        pod(cpu(1_000), cpu(1_000))),
                refused(
                        "default requests above the request of the pod as a whole: 0.6 + 0.6 > 1",
                        fix("LimitRange small sets a default request of 0.6 of cpu, so the containers request 1.2, and"
                                + " the pod allows 1 for all its containers"),
                        of(defaults(NONE, cpu(600))),
                        app(NONE, NONE),
                        sidecar(NONE, NONE),
                        pod(cpu(1_000), NONE)),
                admitted(
                        "default requests at the request of the pod as a whole: 0.5 + 0.5 <= 1",
                        of(defaults(NONE, cpu(500))),
                        app(NONE, NONE),
                        sidecar(NONE, NONE),
                        pod(cpu(1_000), NONE)),
                refused(
                        "default requests above the limit of a pod that requests nothing: 0.6 + 0.6 > 1",
                        fix("LimitRange small sets a default request of 0.6 of cpu, so the containers request 1.2, and"
                                + " the pod allows 1 for all its containers"),
                        of(defaults(NONE, cpu(600))),
                        app(NONE, NONE),
                        sidecar(NONE, NONE),
                        pod(NONE, cpu(1_000))));
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                refused(
                        "a minimum above the maximum",
                        ofContainer("a minimum of 2 of cpu", "container web requests 1"),
                        of(min(LimitRange.Type.CONTAINER, 2_000), max(1_000)),
                        app(cpu(1_000), cpu(1_000))),
                refused(
                        "a default limit above the maximum",
                        ofContainer("a maximum of 1 of cpu", "container web has a limit of 3"),
                        of(usual(1_000, 3_000, 500)),
                        app(NONE, NONE)),
                refused(
                        "a ratio of less than 1, which no container has",
                        ofContainer(
                                "a limit of at most 0.5 times the request of cpu",
                                "container web has a limit of 1 and requests 1"),
                        of(ratio(LimitRange.Type.CONTAINER, 500)),
                        app(cpu(1_000), cpu(1_000))),
                refused(
                        "a default limit below the default request",
                        fix("LimitRange small sets a default limit of 1 of cpu, and container web requests 2"),
                        of(defaults(cpu(1_000), cpu(2_000))),
                        app(NONE, NONE)),
                refused(
                        "a default limit below the default request of another LimitRange, which may be the first",
                        fix("LimitRange a sets a default limit of 0.1 of cpu, and container web requests 0.5 if the"
                                + " default of LimitRange b is the first"),
                        List.of(
                                limitRangeChanged("a", defaults(cpu(100), cpu(100))),
                                limitRangeChanged("b", defaults(NONE, cpu(500)))),
                        app(NONE, NONE)),
                refused(
                        "a default limit alone below the default request of another LimitRange",
                        fix("LimitRange a sets a default limit of 0.1 of cpu, and container web requests 0.5 if the"
                                + " default of LimitRange b is the first"),
                        List.of(
                                limitRangeChanged("a", defaults(cpu(100), NONE)),
                                limitRangeChanged("b", defaults(cpu(500), cpu(500)))),
                        app(NONE, NONE)),
                admitted(
                        "each LimitRange sets both defaults, so they never mix",
                        List.of(
                                limitRangeChanged("a", defaults(cpu(100), cpu(100))),
                                limitRangeChanged("b", defaults(cpu(500), cpu(500)))),
                        app(NONE, NONE)),
                admitted(
                        "a request of its own, which no default replaces",
                        List.of(
                                limitRangeChanged("a", defaults(cpu(100), cpu(100))),
                                limitRangeChanged("b", defaults(NONE, cpu(500)))),
                        app(cpu(100), NONE)),
                admitted("a LimitRange that says nothing", of(), app(NONE, NONE)),
                admitted(
                        "a LimitRange of another namespace",
                        List.of(new ClusterEvent.LimitRangeChanged(
                                new LimitRange("small", new NamespacedName("other", "small"), List.of(max(1_000))))),
                        app(NONE, NONE)),
                refused(
                        "a LimitRange with more limits than Holdfast reads",
                        "LimitRange small may refuse the pod: it has more limits than Holdfast reads; make it smaller,"
                                + " or set allow: [ReplacementRefused] in the policy if they admit the pod",
                        List.of(new ClusterEvent.LimitRangeChanged(
                                LimitRange.unread("small", new NamespacedName("shop", "small")))),
                        app(NONE, NONE)),
                admitted("eight LimitRanges are read", many(8), app(cpu(1), cpu(1))),
                refused(
                        "nine LimitRanges",
                        "the namespace has 9 LimitRanges, and Holdfast reads 8, so another one may refuse the pod;"
                            + " delete LimitRanges or merge them, or set allow: [ReplacementRefused] in the policy if"
                            + " they admit the pod",
                        many(9),
                        app(cpu(1), cpu(1))));
    }

    @ParameterizedTest
    @MethodSource({"containers", "pods", "defaults", "defaultsAboveThePod", "contradictions"})
    void aNewPod(List<ClusterEvent> limitRanges, List<Container> containers, Optional<String> refusal) {
        for (int seed = 0; seed < 3; seed++) {
            List<ClusterEvent> shuffled = new ArrayList<>(limitRanges);
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(refusal(PodRequirements.none().with(containers), shuffled))
                    .isEqualTo(refusal);
        }
    }

    static Stream<Arguments> unreadContainers() {
        return Stream.of(
                argumentSet("no LimitRange", List.of(), Optional.empty()),
                argumentSet("a LimitRange that says nothing", of(), Optional.empty()),
                argumentSet(
                        "a LimitRange",
                        of(max(1_000)),
                        Optional.of("LimitRange small may refuse the pod: the pod has more containers, requests and"
                                + " limits than Holdfast reads; make it smaller, or set allow: [ReplacementRefused] in"
                                + " the policy if they admit the pod")));
    }

    @ParameterizedTest
    @MethodSource("unreadContainers")
    void aPodWithMoreContainersThanHoldfastReads(List<ClusterEvent> limitRanges, Optional<String> refusal) {
        assertThat(refusal(PodRequirements.none().withUnreadContainers(), limitRanges))
                .isEqualTo(refusal);
    }

    private static ClusterEvent unread() {
        return new ClusterEvent.LimitRangeChanged(LimitRange.unread("more", new NamespacedName("shop", "more")));
    }

    static Stream<Arguments> exempt() {
        LimitRange.Item minimum = min(LimitRange.Type.CONTAINER, 100);
        LimitRange.Item ratio = ratio(LimitRange.Type.CONTAINER, 2_000);
        return Stream.of(
                admitted("a LimitRange that is not read", List.of(unread()), app(NONE, NONE)),
                admitted("nine LimitRanges", many(9), app(cpu(1), cpu(1))),
                refused(
                        "nine LimitRanges, of which one of those that are read refuses the pod",
                        fix("LimitRange r0 sets a maximum of 8 of cpu for each container, and container web has a"
                                + " limit of 9"),
                        many(9),
                        app(cpu(1), cpu(9_000))),
                refused(
                        "all LimitRanges are read, and no limit is refused",
                        ofContainer("a maximum of 1 of cpu", "container web has no limit"),
                        of(max(1_000)),
                        app(NONE, NONE)),
                refused(
                        "one that is read refuses a limit",
                        ofContainer("a maximum of 1 of cpu", "container web has a limit of 2"),
                        List.of(unread(), limitRangeChanged("small", max(1_000))),
                        app(cpu(1), cpu(2_000))),
                admitted(
                        "no limit, for which another one may have a default",
                        List.of(unread(), limitRangeChanged("small", max(1_000))),
                        app(NONE, NONE)),
                admitted(
                        "no request, for which another one may have a default",
                        List.of(unread(), limitRangeChanged("small", minimum)),
                        app(NONE, NONE)),
                admitted(
                        "no request for a ratio, for which another one may have a default",
                        List.of(unread(), limitRangeChanged("small", ratio)),
                        app(NONE, NONE)),
                admitted(
                        "no limit for a ratio, for which another one may have a default",
                        List.of(unread(), limitRangeChanged("small", ratio)),
                        app(cpu(1), NONE)),
                admitted(
                        "a sum below the minimum, to which another one may add a default",
                        List.of(unread(), limitRangeChanged("small", min(LimitRange.Type.POD, 100))),
                        app(cpu(1), cpu(1)),
                        sidecar(NONE, NONE)),
                refused(
                        "a sum above the maximum, from which no default takes",
                        ofPod("a maximum of 1 of cpu", "has a limit of 2"),
                        List.of(unread(), limitRangeChanged("small", maxOfPod(1_000))),
                        app(cpu(1), cpu(2_000)),
                        sidecar(NONE, NONE)));
    }

    @ParameterizedTest
    @MethodSource("exempt")
    void aNewPodThatAPolicyCallsExempt(
            List<ClusterEvent> limitRanges, List<Container> containers, Optional<String> refusal) {
        ReferenceCluster view = view(PodRequirements.none().with(containers), limitRanges);

        assertThat(PodAdmission.refusalOfExempt(view.pod("web").orElseThrow(), view))
                .isEqualTo(refusal.map(it -> "the API server would refuse the replacement: " + it));
    }

    @Test
    void aPodWithMoreContainersThanHoldfastReadsThatAPolicyCallsExempt() {
        ReferenceCluster view = view(PodRequirements.none().withUnreadContainers(), of(max(1_000)));

        assertThat(PodAdmission.refusalOfExempt(view.pod("web").orElseThrow(), view))
                .isEmpty();
    }

    private static Optional<String> refusal(PodRequirements requirements, List<ClusterEvent> limitRanges) {
        ReferenceCluster view = view(requirements, limitRanges);
        return PodAdmission.refusal(view.pod("web").orElseThrow(), view);
    }

    private static ReferenceCluster view(PodRequirements requirements, List<ClusterEvent> limitRanges) {
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .pod("web", on("n1"), replicaOf("web"), needing(requirements))
                .build();
        limitRanges.forEach(view::apply);
        return view;
    }
}

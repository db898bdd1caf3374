package dev.holdfast.policies.selector;

import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TolerationMatcherTest {
    record Row(String name, Pod pod, Node node, Optional<Taint> expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    private static final NodeTrait GPU = tainted("gpu", "a100", "NoSchedule");

    static Stream<Arguments> rows() {
        return Stream.of(
                        open("TT-1: a node without taints repels no pod", pod("p"), node("n1")),
                        repelled("TT-1: NoSchedule repels", pod("p"), GPU),
                        repelled("TT-1: NoExecute repels", pod("p"), tainted("gpu", "a100", "NoExecute")),
                        open(
                                "TT-1: PreferNoSchedule does not repel",
                                pod("p"),
                                node("n1", tainted("gpu", "", "PreferNoSchedule"))),
                        new Row(
                                "TT-1: the first taint that is not tolerated is named",
                                pod("p", toleratingAny("a", "")),
                                node(
                                        "n1",
                                        tainted("a", "", "NoSchedule"),
                                        tainted("x", "", "PreferNoSchedule"),
                                        tainted("b", "", "NoExecute"),
                                        tainted("c", "", "NoSchedule")),
                                Optional.of(new Taint("b", "", "NoExecute"))),
                        tolerated("TT-2: key, value and effect are equal", tolerating("gpu", "a100", "NoSchedule")),
                        tolerated("TT-2: an empty effect is every effect", tolerating("gpu", "a100", "")),
                        refused("TT-2: another effect is not tolerated", tolerating("gpu", "a100", "NoExecute")),
                        refused("TT-2: another key is not tolerated", tolerating("gpus", "a100", "NoSchedule")),
                        refused("TT-2: Equal needs the value", tolerating("gpu", "h100", "NoSchedule")),
                        refused(
                                "TT-2: Equal with an empty value needs an empty value",
                                tolerating("gpu", "", "NoSchedule")),
                        tolerated(
                                "TT-2: no operator is Equal",
                                tolerating(new Toleration("gpu", "", "a100", "NoSchedule"))),
                        refused(
                                "TT-2: no operator is Equal, not Exists",
                                tolerating(new Toleration("gpu", "", "", "NoSchedule"))),
                        tolerated("TT-2: Exists is any value", toleratingAny("gpu", "NoSchedule")),
                        refused("TT-2: Exists needs the key", toleratingAny("disk", "NoSchedule")),
                        tolerated("TT-2: Exists without key and effect is everything", toleratingAny("", "")),
                        tolerated(
                                "TT-2: an empty key with Equal is any key with that value", tolerating("", "a100", "")),
                        refused("TT-2: an empty key with Equal needs the value", tolerating("", "h100", "")),
                        open(
                                "TT-2: one of several tolerations is enough",
                                pod("p", toleratingAny("disk", ""), toleratingAny("gpu", "")),
                                node("n1", GPU)),
                        new Row(
                                "TT-2: each taint needs a toleration of its own",
                                pod("p", toleratingAny("gpu", "")),
                                node("n1", GPU, tainted("disk", "", "NoSchedule")),
                                Optional.of(new Taint("disk", "", "NoSchedule"))),
                        new Row(
                                "TT-3: Gt never matches: 5 > 4",
                                pod("p", tolerating(new Toleration("cores", "Gt", "4", ""))),
                                node("n1", tainted("cores", "5", "NoSchedule")),
                                Optional.of(new Taint("cores", "5", "NoSchedule"))),
                        new Row(
                                "TT-3: Lt never matches: 3 < 4",
                                pod("p", tolerating(new Toleration("cores", "Lt", "4", ""))),
                                node("n1", tainted("cores", "3", "NoSchedule")),
                                Optional.of(new Taint("cores", "3", "NoSchedule"))),
                        refused(
                                "TT-4: an unknown operator never matches",
                                tolerating(new Toleration("gpu", "In", "a100", ""))),
                        refused(
                                "TT-4: operators are case-sensitive",
                                tolerating(new Toleration("gpu", "exists", "", ""))))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void repelledBy(Row row) {
        TolerationMatcher matcher = new TolerationMatcher(row.pod().scheduling().tolerations());
        assertThat(matcher.repelledBy(row.node())).as(row.name()).isEqualTo(row.expected());
    }

    @Test
    void aTaintThatDoesNotRepelCanBeAskedForToo() {
        TolerationMatcher matcher = new TolerationMatcher(
                pod("p", toleratingAny("gpu", "")).scheduling().tolerations());
        assertThat(matcher.tolerates(new Taint("gpu", "", "PreferNoSchedule"))).isTrue();
        assertThat(matcher.tolerates(new Taint("disk", "", "PreferNoSchedule"))).isFalse();
    }

    static Stream<Arguments> stays() {
        return Stream.of(
                stays("no toleration", OptionalLong.of(0)),
                stays("a toleration of another taint", OptionalLong.of(0), lasting("disk", 30)),
                stays("a toleration without an end", OptionalLong.empty(), toleratingAny("gpu", "NoExecute")),
                stays("a toleration with an end", OptionalLong.of(30), lasting("gpu", 30)),
                stays("a toleration of no time", OptionalLong.of(0), lasting("gpu", 0)),
                stays("a toleration of less than no time", OptionalLong.of(0), lasting("gpu", -5)),
                stays(
                        "TT-5: the first of two that match, though the second one is shorter",
                        OptionalLong.of(60),
                        lasting("gpu", 60),
                        lasting("gpu", 10)),
                stays(
                        "TT-5: the first of two that match, which has no end",
                        OptionalLong.empty(),
                        toleratingAny("", ""),
                        lasting("gpu", 10)));
    }

    private static Arguments stays(String name, OptionalLong seconds, PodTrait... tolerations) {
        return argumentSet(name, pod("p", tolerations), seconds);
    }

    private static PodTrait lasting(String key, long seconds) {
        return tolerating(new Toleration(key, "Exists", "", "NoExecute", OptionalLong.of(seconds)));
    }

    @ParameterizedTest
    @MethodSource("stays")
    void secondsWithATaint(Pod pod, OptionalLong seconds) {
        TolerationMatcher matcher = new TolerationMatcher(pod.scheduling().tolerations());

        assertThat(matcher.secondsWith(new Taint("gpu", "", "NoExecute"))).isEqualTo(seconds);
    }

    private static Row open(String name, Pod pod, Node node) {
        return new Row(name, pod, node, Optional.empty());
    }

    private static Row repelled(String name, Pod pod, NodeTrait taint) {
        Node node = node("n1", taint);
        return new Row(name, pod, node, Optional.of(node.taints().getFirst()));
    }

    private static Row tolerated(String name, PodTrait toleration) {
        return open(name, pod("p", toleration), node("n1", GPU));
    }

    private static Row refused(String name, PodTrait toleration) {
        return repelled(name, pod("p", toleration), GPU);
    }
}

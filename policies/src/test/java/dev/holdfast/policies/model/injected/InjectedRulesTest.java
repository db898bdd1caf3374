package dev.holdfast.policies.model.injected;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that do not fit the pod. {@code InjectionTest} has those that do. */
class InjectedRulesTest {
    private static final Requirement ARM = new Requirement("arch", "In", List.of("arm64"));
    private static final Requirement SSD = new Requirement("disk", "In", List.of("ssd"));
    private static final PodAffinityTerm NEAR = PodAffinityTerm.of(LabelSelector.everything(), "zone");
    private static final PodAffinityTerm APART = PodAffinityTerm.of(LabelSelector.everything(), "host");

    /** A pod that requires arm64 of its own, and ssd by an injected rule; and so on for the other kinds. */
    private static final Scheduling INJECTED = scheduling(List.of(ARM, SSD), List.of(NEAR), List.of(NEAR, APART));

    static Stream<Arguments> misfits() {
        return Stream.of(
                argumentSet(
                        "someone appended a requirement: all node affinity is the pod's own",
                        "P/p/r node:1.0:1.0",
                        scheduling(List.of(ARM, SSD, SSD), List.of(), List.of())),
                argumentSet(
                        "someone removed a requirement: all node affinity is the pod's own",
                        "P/p/r node:1.0:1.0",
                        scheduling(List.of(ARM), List.of(), List.of())),
                argumentSet(
                        "someone removed the node affinity: there is none",
                        "P/p/r node:-:1.0",
                        new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(), List.of(), List.of())),
                argumentSet(
                        "the record names other terms: all node affinity is the pod's own",
                        "P/p/r node:1.0+1.0:1.0",
                        scheduling(List.of(ARM, SSD), List.of(), List.of())),
                argumentSet(
                        "someone appended a node term: all node affinity is the pod's own",
                        "P/p/r node:1.0:1.0",
                        new Scheduling(
                                Labels.none(),
                                Optional.of(new NodeSelector(List.of(
                                        new NodeSelectorTerm(List.of(ARM, SSD), List.of()),
                                        new NodeSelectorTerm(List.of(SSD), List.of())))),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of())),
                argumentSet(
                        "someone added an affinity term: both are the pod's own",
                        "P/p/r affinity",
                        scheduling(List.of(ARM), List.of(NEAR, APART), List.of())),
                argumentSet(
                        "someone removed an anti-affinity term: the others are the pod's own",
                        "P/p/r antiAffinity:1",
                        scheduling(List.of(ARM), List.of(), List.of(NEAR))));
    }

    @ParameterizedTest
    @MethodSource("misfits")
    void aRecordThatDoesNotFitHidesNothing(String record, Scheduling pod) {
        assertThat(InjectedRules.parse(record).in(pod).own()).isEqualTo(pod);
    }

    @Test
    void oneKindThatDoesNotFitLeavesTheOthers() {
        Scheduling own = InjectedRules.parse("P/p/a node:7.7:1.0, P/p/b affinity, P/p/c antiAffinity:1")
                .in(INJECTED)
                .own();

        assertThat(own).isEqualTo(scheduling(List.of(ARM, SSD), List.of(), List.of(NEAR)));
    }

    @Test
    void aTermThatSomeoneAppendedAfterTheInjectedOneIsThePodsOwn() {
        Scheduling own =
                InjectedRules.parse("P/p/c antiAffinity:0").in(INJECTED).own();

        assertThat(own).isEqualTo(scheduling(List.of(ARM, SSD), List.of(NEAR), List.of(APART)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "nonsense",
                "P/p/r",
                "P/p/r node",
                "P/p/r node:1.0",
                "P/p/r node:1:1.0",
                "P/p/r node:1.x:1.0",
                "P/p/r node:-1.0:1.0",
                "P/p/r node:-:9999999.0",
                "P/p/r node:-:",
                "P/p/r node::1.0",
                "P/p/r antiAffinity:",
                "P/p/r antiAffinity:-1",
                "P/p/r antiAffinity:1.0",
                "P/p/r spread:",
                "P/p/r affinity:0",
                "P/p/r podAffinity",
                " affinity",
                "P/p/r affinity,P/p/s affinity",
                "P/p/r affinity , ",
            })
    void aTextThatIsNoRecordIsReadAsNone(String text) {
        assertThat(InjectedRules.parse(text)).isEqualTo(InjectedRules.none());
    }

    @Test
    void whatIsNoEntryIsLeftOut() {
        assertThat(InjectedRules.parse("nonsense, P/p/r affinity, , P/p/s antiAffinity:x, P/p/t antiAffinity:0")
                        .text())
                .isEqualTo("P/p/r affinity, P/p/t antiAffinity:0");
    }

    @Test
    void aRecordOfMillionsOfTermsTakesNoMemory() {
        String sizes = "1.0" + "+1.0".repeat(2_400);

        Scheduling own = InjectedRules.parse("P/p/r node:" + sizes + ":" + sizes)
                .in(INJECTED)
                .own();

        assertThat(own).isEqualTo(INJECTED);
    }

    @Test
    void aRecordThatIsTooLongIsReadAsNone() {
        String entry = "P/" + "p".repeat(9_988) + " affinity";
        assertThat(entry).hasSize(9_999);

        assertThat(InjectedRules.parse(entry + ", " + entry).entries()).hasSize(2);
        assertThat(InjectedRules.parse(entry + ", " + entry + "y").entries()).isEmpty();
    }

    private static Scheduling scheduling(
            List<Requirement> node, List<PodAffinityTerm> affinity, List<PodAffinityTerm> antiAffinity) {
        return new Scheduling(
                Labels.none(),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(node, List.of())))),
                affinity,
                antiAffinity,
                List.of(),
                List.of());
    }
}

package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetDecoderTest {
    private static final Message NOTHING = message();
    private static final Optional<LabelSelector> NO_POD = Optional.empty();
    private static final Optional<LabelSelector> EVERY_POD = Optional.of(LabelSelector.everything());

    private final BudgetDecoder decoder = new BudgetDecoder();

    static Stream<Arguments> selectors() {
        return Stream.of(
                row("an empty spec selects no pod", NOTHING, NO_POD),
                row(
                        "numbers without a selector: no pod",
                        message().part(1, NOTHING).part(3, NOTHING),
                        NO_POD),
                row("an empty selector: every pod", message().part(2, NOTHING), EVERY_POD),
                row(
                        "more values than are read: every pod",
                        message().part(2, message().part(2, expressionOf(256))),
                        EVERY_POD),
                row(
                        "labels and expressions",
                        message()
                                .part(1, message().number(1, 0).number(2, 1))
                                .part(
                                        2,
                                        message()
                                                .entry(1, "app", "web")
                                                .part(
                                                        2,
                                                        message()
                                                                .text(1, "tier")
                                                                .text(2, "NotIn")
                                                                .text(3, "batch")
                                                                .text(3, ""))
                                                .part(
                                                        2,
                                                        message()
                                                                .text(1, "owner")
                                                                .text(2, "Exists")))
                                .text(4, "AlwaysAllow"),
                        Optional.of(new LabelSelector(
                                Labels.of("app", "web"),
                                List.of(
                                        new Requirement("tier", "NotIn", List.of("batch", "")),
                                        new Requirement("owner", "Exists", List.of()))))));
    }

    private static Message expressionOf(int values) {
        Message expression = message().text(1, "app").text(2, "In");
        for (int i = 0; i < values; i++) {
            expression.text(3, "v" + i);
        }
        return expression;
    }

    private static Arguments row(String name, Message spec, Optional<LabelSelector> expected) {
        return argumentSet(name, spec, expected);
    }

    @ParameterizedTest
    @MethodSource("selectors")
    void whichPodsItIsFor(Message spec, Optional<LabelSelector> expected) throws MalformedException {
        assertThat(decode(message().part(1, metadata(1)).part(2, spec)))
                .extracting(
                        Versioned::resourceVersion,
                        it -> it.object().name(),
                        it -> it.object().selector())
                .containsExactly(4711L, new NamespacedName("shop", "web"), expected);
    }

    static Stream<Arguments> limits() {
        Message percent = message().number(1, 1).number(2, 0).text(3, "25%");
        return Stream.of(
                argumentSet("no limit", NOTHING, new DisruptionBudget.Limit.None()),
                argumentSet(
                        "two available",
                        message().part(1, message().number(1, 0).number(2, 2)),
                        new DisruptionBudget.Limit.MinAvailable(2)),
                argumentSet(
                        "25% available",
                        message().part(1, percent), new DisruptionBudget.Limit.MinAvailablePercent(25)),
                argumentSet(
                        "none unavailable", message().part(3, NOTHING), new DisruptionBudget.Limit.MaxUnavailable(0)),
                argumentSet(
                        "25% unavailable",
                        message().part(3, percent), new DisruptionBudget.Limit.MaxUnavailablePercent(25)),
                argumentSet(
                        "a text that is no percentage",
                        message().part(3, message().number(1, 1).text(3, "many")),
                        new DisruptionBudget.Limit.None()));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void howManyPodsMustStayHealthy(Message spec, DisruptionBudget.Limit limit) throws MalformedException {
        assertThat(decode(message().part(1, metadata(1)).part(2, spec))
                        .object()
                        .spec()
                        .limit())
                .isEqualTo(limit);
    }

    static Stream<Arguments> observations() {
        return Stream.of(
                argumentSet("a status of generation 2", metadata(2), Optional.of(status(2, 0)), true),
                argumentSet("a status of generation 1", metadata(2), Optional.of(status(1, 0)), false),
                argumentSet("an empty status", metadata(0), Optional.of(NOTHING), true),
                argumentSet("no status", metadata(0), Optional.empty(), false));
    }

    /** A status without numbers says that nothing is allowed. */
    @ParameterizedTest
    @MethodSource("observations")
    void whetherTheStatusIsOfTheSpec(Message metadata, Optional<Message> status, boolean observed)
            throws MalformedException {
        Message budget = message().part(1, metadata).part(2, NOTHING);
        status.ifPresent(it -> budget.part(3, it));

        assertThat(decode(budget).object().spec().observed()).isEqualTo(observed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AlwaysAllow", "IfHealthyBudget"})
    void whetherItLetsPodsGoThatAreNotReady(String policy) throws MalformedException {
        assertThat(decode(message().part(1, metadata(1)).part(2, message().text(4, policy)))
                        .object()
                        .spec()
                        .evictsUnhealthy())
                .isEqualTo(policy.equals("AlwaysAllow"));
    }

    static Stream<Arguments> allowances() {
        return Stream.of(
                argumentSet("generation 2, 2 was observed: 3 as its controller last said", 2, status(2, 3), 3),
                argumentSet("generation 2, 3 was observed: 3", 2, status(3, 3), 3),
                argumentSet("generation 2, 1 was observed: none, although 3 were allowed", 2, status(1, 3), 0),
                argumentSet(
                        "generation 2, nothing was observed: none", 2, message().number(3, 3), 0),
                argumentSet("generation 2 and an empty status: none", 2, NOTHING, 0),
                argumentSet(
                        "no generation, nothing was observed: 3", 0, message().number(3, 3), 3),
                argumentSet("no disruption is left", 2, status(2, 0), 0),
                argumentSet(
                        "between disruptedPods and the counts",
                        2,
                        message()
                                .number(1, 2)
                                .part(
                                        2,
                                        message()
                                                .text(1, "web-1")
                                                .part(2, message().number(1, 60)))
                                .number(3, 3)
                                .number(4, 5)
                                .number(5, 2)
                                .number(6, 6),
                        3));
    }

    private static Message status(long observed, long allowed) {
        return message().number(1, observed).number(3, allowed);
    }

    @ParameterizedTest
    @MethodSource("allowances")
    void howManyEvictionsItAllows(int generation, Message status, int expected) throws MalformedException {
        assertThat(decode(message()
                                .part(1, metadata(generation))
                                .part(2, NOTHING)
                                .part(3, status))
                        .object()
                        .disruptionsAllowed())
                .isEqualTo(expected);
    }

    static Stream<Arguments> bestCases() {
        return Stream.of(
                argumentSet("3 of 3 must be healthy: never", counts(2, 3, 3), true),
                argumentSet("4 of 3 must be healthy: never", counts(2, 4, 3), true),
                argumentSet("2 of 3 must be healthy: one at most", counts(2, 2, 3), false),
                argumentSet("it selects no pod: not known", counts(2, 0, 0), false),
                argumentSet("the controller has not observed the last edit: not known", counts(1, 3, 3), false));
    }

    private static Message counts(long observed, long desiredHealthy, long expectedPods) {
        return message().number(1, observed).number(5, desiredHealthy).number(6, expectedPods);
    }

    @ParameterizedTest
    @MethodSource("bestCases")
    void whetherItWouldAllowAnythingAtItsBest(Message status, boolean never) throws MalformedException {
        assertThat(decode(message().part(1, metadata(2)).part(2, NOTHING).part(3, status))
                        .object()
                        .neverAllows())
                .isEqualTo(never);
    }

    static Stream<Arguments> plainOnes() {
        return Stream.of(
                argumentSet("only a name: none allowed, no pod", message().part(1, metadata(0)), 0),
                argumentSet(
                        "no generation: 1 allowed",
                        message().part(1, metadata(0)).part(3, message().number(3, 1)),
                        1),
                argumentSet(
                        "generation 2, nothing was observed: none allowed",
                        message().part(1, metadata(2)).part(3, message().number(3, 1)),
                        0));
    }

    @ParameterizedTest
    @MethodSource("plainOnes")
    void nothingIsLeftOfTheOneBefore(Message plain, int allowed) throws MalformedException {
        decode(message()
                .part(1, metadata(9))
                .part(
                        2,
                        message()
                                .part(1, message().number(2, 2))
                                .part(2, message().entry(1, "app", "web"))
                                .text(4, "AlwaysAllow"))
                .part(3, status(9, 3).number(5, 3).number(6, 3)));

        assertThat(decode(plain).object())
                .isEqualTo(new DisruptionBudget(
                        "u-1",
                        new NamespacedName("shop", "web"),
                        NO_POD,
                        allowed,
                        false,
                        new DisruptionBudget.Spec(new DisruptionBudget.Limit.None(), false, allowed > 0)));
    }

    private Versioned<DisruptionBudget> decode(Message object) throws MalformedException {
        return decoder.decode(new ByteSlice(object.bytes()));
    }

    private static Message metadata(long generation) {
        Message metadata =
                message().text(1, "web").text(3, "shop").text(5, "u-1").text(6, "4711");
        return generation == 0 ? metadata : metadata.number(7, generation);
    }
}

package dev.holdfast.policies.plan.capacity;

import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests for how long a node must have suited a pod that requires {@code disk=ssd} on an open node. */
class FormerNodesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SETTLE_TIME = Duration.ofSeconds(60);
    private static final Node SSD = node("n", labels("disk", "ssd"));
    private static final NodeRejection NEEDS_SSD = NodeRejection.unless(
            it -> it.labels().get("disk").filter("ssd"::equals).isPresent() && !it.unschedulable(), "no ssd");

    private final FormerNodes formerNodes = new FormerNodes();

    private Optional<String> rejection(Node node) {
        return formerNodes.since(NOW.minus(SETTLE_TIME), NEEDS_SSD).to(node);
    }

    static Stream<Arguments> rows() {
        Node hdd = node("n", labels("disk", "hdd"));
        Node cordoned = node("n", labels("disk", "ssd"), cordoned());
        Node planned = node("n", labels("disk", "ssd"), lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED));
        Node other = node("n", labels("disk", "ssd", "other", "x"));
        Node tainted = node("n", labels("disk", "ssd"), tainted("gpu", "", "NoSchedule"));
        return Stream.of(
                argumentSet("it got the label 59 s ago", hdd, 59, false),
                argumentSet("it got the label 60 s ago", hdd, 60, true),
                argumentSet("it was uncordoned 59 s ago", cordoned, 59, false),
                argumentSet("it was uncordoned 60 s ago", cordoned, 60, true),
                argumentSet("its planned maintenance was called off 59 s ago", planned, 59, false),
                argumentSet("its planned maintenance was called off 60 s ago", planned, 60, true),
                argumentSet("another label changed", other, 1, true),
                argumentSet("a taint that the pod tolerates went", tainted, 1, true));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aNodeMustHaveSuitedThePodInEachStateOfTheSettleTime(Node before, int secondsAgo, boolean suits) {
        formerNodes.changed(before, SSD, NOW.minusSeconds(secondsAgo));

        assertThat(rejection(SSD)).isEqualTo(suits ? Optional.empty() : Optional.of("suitable for too short a time"));
    }

    @Test
    void aChangeThatMakesNoDifferenceIsNotRemembered() {
        formerNodes.changed(SSD, node("n", labels("disk", "ssd")), NOW);

        assertThat(formerNodes.size()).isZero();
    }

    @Test
    void ofANodeWithManyStatesTheLastSixteenCount() {
        formerNodes.changed(node("n", labels("disk", "hdd")), SSD, NOW.minusSeconds(50));
        IntStream.range(0, 15).forEach(i -> flap(i, NOW.minusSeconds(40)));
        assertThat(rejection(SSD)).isPresent();

        flap(15, NOW.minusSeconds(30));

        assertThat(rejection(SSD)).isEmpty();
    }

    private void flap(int value, Instant at) {
        formerNodes.changed(
                node("n", labels("disk", "ssd", "load", "" + value)),
                node("n", labels("disk", "ssd", "load", "" + (value + 1))),
                at);
    }

    @Test
    void aLabelThatFlapsBetweenTwoValuesMakesTwoStates() {
        formerNodes.changed(node("n", labels("disk", "hdd")), SSD, NOW.minusSeconds(50));
        IntStream.range(0, 40).forEach(i -> flap(i % 2, NOW.minusSeconds(40 - i)));

        assertThat(rejection(SSD)).isPresent();
    }

    @Test
    void aStateThatCameBackEndedWhenItEndedLast() {
        Node hdd = node("n", labels("disk", "hdd"));
        formerNodes.changed(hdd, SSD, NOW.minusSeconds(200));
        formerNodes.changed(SSD, hdd, NOW.minusSeconds(150));
        formerNodes.changed(hdd, SSD, NOW.minusSeconds(30));

        formerNodes.forget(NOW.plusSeconds(100));

        assertThat(formerNodes.since(NOW.minusSeconds(31), NEEDS_SSD).to(SSD)).isPresent();
        assertThat(formerNodes.since(NOW.minusSeconds(30), NEEDS_SSD).to(SSD)).isEmpty();
    }

    @Test
    void statesAreForgottenAfterFiveMinutesAndWithTheirNode() {
        formerNodes.changed(node("n", labels("disk", "hdd")), SSD, NOW.minusSeconds(300));
        formerNodes.changed(node("m", labels("disk", "hdd")), node("m"), NOW);
        formerNodes.forget(NOW);
        assertThat(formerNodes.size()).isEqualTo(1);

        formerNodes.gone("m");

        assertThat(formerNodes.size()).isZero();
    }
}

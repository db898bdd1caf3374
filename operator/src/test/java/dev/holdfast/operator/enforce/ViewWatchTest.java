package dev.holdfast.operator.enforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which events prove that the feed of a view is alive. */
class ViewWatchTest {
    private Instant now = Instant.EPOCH;
    private final ViewWatch watch = new ViewWatch(() -> now);

    private Set<View> heardNow() {
        return watch.states().entrySet().stream()
                .filter(it -> it.getValue().quiet().isZero())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(View.class)));
    }

    static Stream<Arguments> news() {
        return Stream.of(
                argumentSet("a pod", new Event.FactChanged(new ClusterEvent.PodGone("uid")), View.PODS),
                argumentSet("a node", new Event.FactChanged(new ClusterEvent.NodeGone("n1")), View.NODES),
                argumentSet(
                        "a namespace", new Event.FactChanged(new ClusterEvent.NamespaceGone("shop")), View.NAMESPACES),
                argumentSet("an owner", new Event.FactChanged(new ClusterEvent.OwnerGone("uid")), View.OWNERS),
                argumentSet("a budget", new Event.FactChanged(new ClusterEvent.BudgetGone("uid")), View.BUDGETS),
                argumentSet("a policy", new Event.PolicyRemoved(PolicyId.cluster("audit")), View.POLICIES),
                argumentSet(
                        "an acknowledgement",
                        new Event.PolicyAcknowledged(PolicyId.cluster("audit"), Set.of()),
                        View.POLICIES),
                argumentSet("a pause", new Event.PauseRemoved("freeze"), View.PAUSES),
                argumentSet("a view that is synced", new Event.ViewSynced(View.BUDGETS), View.BUDGETS));
    }

    @ParameterizedTest
    @MethodSource("news")
    void news_is_heard_from_its_own_view_alone(Event event, View view) {
        now = now.plusSeconds(60);

        watch.heard(event);

        assertThat(heardNow()).containsExactly(view);
    }

    @Test
    void the_loss_of_a_view_is_not_heard_from_it() {
        watch.heard(new Event.ViewSynced(View.PODS));
        now = now.plusSeconds(60);

        watch.heard(new Event.ViewLost(View.PODS, "the watch was cut", Instant.EPOCH));

        assertThat(heardNow()).isEmpty();
        assertThat(watch.states())
                .containsEntry(View.PODS, new LoopState.ViewState(false, Duration.ofSeconds(60), "the watch was cut"));
    }

    @Test
    void other_events_are_heard_from_no_view() {
        now = now.plusSeconds(60);

        watch.heard(new Event.TimePassed());
        watch.heard(new Event.LeadershipGained());

        assertThat(heardNow()).isEmpty();
    }
}

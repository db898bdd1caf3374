package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An edit of a policy that only changes the order within a rule keeps the rule identity. */
class ReorderedRuleTest {
    private final Told told = new Told();
    private final Index index = new Index(Set.of("kube-system"), told);

    private static Policy apartFromAppIn(int generation, String... apps) {
        return apartFromAppIn("apart", LabelSelector.everything(), generation, apps);
    }

    private static Policy apartFromAppIn(String policy, LabelSelector pods, int generation, String... apps) {
        return ApartPolicy.edition(generation, policy, pods, selector(expression("app", "In", apps)));
    }

    private void reordered(ClusterBuilder facts) {
        index.put(apartFromAppIn(1, "db", "cache"));
        facts.node("n1", zone("a")).node("n2", zone("a")).facts().forEach(index::apply);
        told.clear();
        index.put(apartFromAppIn(2, "cache", "db"));
        assertThat(told.lines()).as("the rule is the same").isEmpty();
    }

    @Test
    void aRuleWrittenInAnotherOrderGoesOnToBeBrokenByWhatComes() {
        reordered(cluster().pod("web-1", on("n1"), labels("app", "web")));

        index.apply(podChanged("cache-1", on("n2"), labels("app", "cache")));

        assertThat(told.lines()).containsExactly("broken web-1: pod shop/cache-1 was bound to n2");
    }

    @Test
    void aRuleWrittenInAnotherOrderGoesOnToBeMendedByWhatLeaves() {
        reordered(cluster()
                .pod("web-1", on("n1"), labels("app", "web"))
                .pod("cache-1", on("n2"), labels("app", "cache")));

        index.apply(podGone("cache-1"));

        assertThat(told.lines()).containsExactly("mended web-1: SATISFIED");
    }

    @Test
    void aRuleWrittenInAnotherOrderStillHasItsConflicts() {
        reordered(
                cluster().pod("db-1", on("n1"), labels("app", "db")).pod("cache-1", on("n2"), labels("app", "cache")));

        assertThat(index.conflictQuery(List::copyOf).around("db-1")).containsExactlyInAnyOrder("db-1", "cache-1");
    }

    @Test
    void whoGoesOnInAnotherOrderIsToldOnceWhileOthersKeepTheFirst() {
        index.put(apartFromAppIn("of-web", app("web"), 1, "db", "cache"));
        index.put(apartFromAppIn("of-api", app("api"), 1, "db", "cache"));
        cluster()
                .node("n1", zone("a"))
                .node("n2", zone("a"))
                .pod("api-1", on("n1"), labels("app", "api"))
                .pod("web-1", on("n1"), labels("app", "web"))
                .facts()
                .forEach(index::apply);
        index.put(apartFromAppIn("of-web", app("web"), 2, "cache", "db"));

        index.apply(podChanged("cache-1", on("n2"), labels("app", "cache")));

        assertThat(told.lines())
                .containsExactlyInAnyOrder(
                        "broken api-1: pod shop/cache-1 was bound to n2",
                        "broken web-1: pod shop/cache-1 was bound to n2");
    }
}

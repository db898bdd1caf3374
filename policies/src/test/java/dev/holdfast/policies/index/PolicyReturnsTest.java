package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the index reports when a policy is removed and added again, or is edited to select fewer pods. */
class PolicyReturnsTest {
    private final Told told = new Told();
    private final Index index = new Index(Set.of("kube-system"), told);

    private static Policy apartFromDb(int generation, LabelSelector pods) {
        return ApartPolicy.edition(generation, "apart", pods, app("db"));
    }

    @Test
    void theRuleOfAPolicyThatWasRemovedAndPutAgainCountsWhatComes() {
        Policy policy = apartFromDb(1, LabelSelector.everything());
        index.put(policy);
        cluster()
                .node("n1", zone("a"))
                .node("n2", zone("a"))
                .pod("web-1", on("n1"), labels("app", "web"))
                .facts()
                .forEach(index::apply);
        index.remove(policy.id());
        index.put(policy);

        index.apply(podChanged("db-1", on("n2"), labels("app", "db")));

        assertThat(told.lines()).containsExactly("broken web-1: pod shop/db-1 was bound to n2");
    }

    @Test
    void anEditLetsGoOfThoseAloneWhomThePolicyNoLongerSelects() {
        index.put(apartFromDb(1, LabelSelector.everything()));
        cluster()
                .node("n1", zone("a"))
                .pod("cache-1", on("n1"), labels("app", "cache"))
                .pod("db-1", on("n1"), labels("app", "db"))
                .pod("web-1", on("n1"), labels("app", "web"))
                .facts()
                .forEach(index::apply);
        told.clear();

        index.put(apartFromDb(2, app("web")));

        assertThat(told.lines()).containsExactly("mended cache-1: NOT_REQUESTED");
        assertThat(index.rulesOf("cache-1")).isEmpty();
        assertThat(index.rulesOf("db-1")).isEmpty();
        assertThat(index.rulesOf("web-1")).extracting(AppliedRule::identity).hasSize(1);
    }

    /** An edit of limits alone: it must not cost time for each pod that the policy selects. */
    @Test
    void aNewGenerationWithTheSameRulesChangesNoPod() {
        index.put(apartFromDb(1, app("web")));
        cluster()
                .node("n1", zone("a"))
                .pod("web-1", on("n1"), labels("app", "web"))
                .facts()
                .forEach(index::apply);
        AppliedRule before = index.rulesOf("web-1").getFirst();

        Policy next = apartFromDb(2, app("web"));
        index.put(next);

        assertThat(index.rulesOf("web-1").getFirst()).isSameAs(before);
        assertThat(index.policy(next.id()).orElseThrow().generation()).isEqualTo(2);
    }
}

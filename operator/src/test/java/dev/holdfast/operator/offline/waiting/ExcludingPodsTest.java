package dev.holdfast.operator.offline.waiting;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExcludingPodsTest {
    private static final Pod WEB = pod("web", unbound(), labels("app", "web", "tier", "front"));

    private static final ClusterView VIEW = cluster()
            .node("n1", zone("a"), hostname("n1"))
            .node("n2", zone("a"), hostname("n2"))
            .node("n3", zone("a"), hostname("n3"))
            .node("n4", zone("b"), hostname("n4"))
            .pod("guard-1", on("n1"), apartFrom(term(app("web"), ZONE)))
            .pod("guard-2", on("n1"), apartFrom(term(app("web"), ZONE), term(matchLabels("tier", "front"), HOSTNAME)))
            .pod("guard-3", on("n2"), apartFrom(term(matchLabels("tier", "front"), HOSTNAME)))
            .pod("other", on("n4"), apartFrom(term(app("db"), ZONE)))
            .build();

    private final ExcludingPods pods = new ExcludingPods(WEB, VIEW);

    @Test
    void aPodWithTwoRulesCountsOnce() {
        assertThat(from("n1")).contains("shop/guard-1, shop/guard-2 are to be apart from (app=web) by " + ZONE);
    }

    @Test
    void aPodOfTheNodeCountsBesidesThoseOfTheZone() {
        assertThat(from("n2"))
                .contains("shop/guard-1, shop/guard-2 are to be apart from (app=web) by " + ZONE
                        + "; another pod excludes it by another rule");
    }

    @Test
    void aPodExcludesNoPodThatItsRuleDoesNotMatch() {
        assertThat(from("n4")).isEmpty();
    }

    @Test
    void nodesInTheSameDomainsShareOneAnswer() {
        ClusterView view = cluster()
                .node("n1", zone("a"), hostname("n1"))
                .node("n2", zone("a"), hostname("n2"))
                .pod("guard", on("n1"), apartFrom(term(app("web"), ZONE)))
                .build();
        ExcludingPods excluding = new ExcludingPods(WEB, view);
        assertThat(excluding.from(view.node("n2").orElseThrow()).orElseThrow())
                .isSameAs(excluding.from(view.node("n1").orElseThrow()).orElseThrow());
    }

    private Optional<String> from(String node) {
        return pods.from(VIEW.node(node).orElseThrow());
    }
}

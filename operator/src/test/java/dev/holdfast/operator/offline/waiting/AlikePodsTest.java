package dev.holdfast.operator.offline.waiting;

import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlikePodsTest {
    private static final Waiting ANSWER = new Waiting(Waiting.State.NO_NODE, "asked");

    /** With this number of nodes, 10 pods are asked about. */
    private static final int NODES = 100_000;

    private static ClusterBuilder nodes(int count) {
        ClusterBuilder cluster = cluster();
        for (int i = 0; i < count; i++) {
            cluster.node("n" + i);
        }
        return cluster;
    }

    private static List<String> asked(ClusterView cluster) {
        List<String> asked = new ArrayList<>();
        AlikePods.why(cluster.pods(), cluster, pod -> {
            asked.add(pod.name().toString());
            return ANSWER;
        });
        return asked;
    }

    @Test
    void namespacesAndTheirWorkloadsHaveEqualShares() {
        ClusterBuilder cluster = nodes(NODES);
        for (int i = 0; i < 20; i++) {
            cluster.pod("a-" + (10 + i), unbound(), in("aaa"), nodeSelector("i", "" + i), ownedBy("Job", "a", "a"));
        }
        cluster.pod("b", unbound(), in("aaa"), ownedBy("Job", "b", "b"));
        cluster.pod("api-0", unbound(), in("payments"));
        assertThat(asked(cluster.build()))
                .containsExactly(
                        "aaa/a-10",
                        "aaa/a-11",
                        "aaa/a-12",
                        "aaa/a-13",
                        "aaa/a-14",
                        "aaa/a-15",
                        "aaa/a-16",
                        "aaa/a-17",
                        "aaa/b",
                        "payments/api-0");
    }

    @Test
    void podsThatDifferInALabelThatNothingReadsAreAlike() {
        assertThat(asked(twoOrdinals(nodes(1)).build())).containsExactly("shop/web-0");
    }

    @Test
    void podsThatDifferInALabelThatAnotherPodReadsAreNotAlike() {
        ClusterBuilder guarded =
                twoOrdinals(nodes(1)).pod("guard", on("n0"), apartFrom(term(matchLabels("ordinal", "1"), ZONE)));
        assertThat(asked(guarded.build())).containsExactly("shop/web-0", "shop/web-1");
    }

    private static ClusterBuilder twoOrdinals(ClusterBuilder cluster) {
        return cluster.pod("web-0", unbound(), labels("ordinal", "0")).pod("web-1", unbound(), labels("ordinal", "1"));
    }
}

package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.LeastCount;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.IndexedRule;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What keeps pods off the smallest domain is searched for a limited number of pods that differ. */
class SmallestDomainsTest {
    private static final int PODS = 205;
    private static final int MOST_SEARCHES = 200;

    @Test
    void ofManyPodsWithTolerationsOfTheirOwnSomeAreNotToldWhatKeepsThemOff() {
        ClusterBuilder cluster =
                cluster().node("n1", zone("a")).node("n2", zone("c"), tainted("gpu", "", "NoSchedule"));
        for (int i = 0; i < PODS; i++) {
            cluster.pod("web-" + i, on("n1"), labels("app", "web"), toleratingAny("own-" + i, "NoSchedule"));
        }
        IndexedRule rule = IndexedRule.after(cluster.facts(), spreadRule(maxSkew(1, ZONE, app("web"))));

        List<LeastCount> counts = IntStream.range(0, PODS)
                .mapToObj(i -> rule.breach("web-" + i).orElseThrow())
                .map(breach -> ((ViolationDetail.Skew) breach).least())
                .toList();

        LeastCount told = new LeastCount.OfDomain("c", 0, "taint gpu:NoSchedule (nodeTaintsPolicy is Ignore)");
        LeastCount untold = new LeastCount.OfDomain("c", 0);
        assertThat(counts).containsOnly(told, untold);
        assertThat(counts).filteredOn(told::equals).hasSize(MOST_SEARCHES);
    }
}

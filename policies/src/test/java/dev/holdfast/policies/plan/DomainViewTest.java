package dev.holdfast.policies.plan;

import static dev.holdfast.policies.testing.Facts.NAMESPACE;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.Pod;
import org.junit.jupiter.api.Test;

/** What is seen of a cluster from within one domain. */
class DomainViewTest {
    private final Cluster cluster = cluster()
            .node("n1", zone("a"))
            .node("n2", zone("a"))
            .node("n3", zone("b"))
            .node("n4", labels("disk", "ssd"))
            .pod("here", on("n1"))
            .pod("there", on("n2"), in("team-b"))
            .pod("elsewhere", on("n3"))
            .pod("nowhere", on("n4"))
            .pod("lost", on("gone"))
            .pod("waiting")
            .build();
    private final DomainView view = new DomainView(cluster, new Domains(cluster), ZONE, "a");

    @Test
    void only_pods_on_nodes_of_the_domain_are_seen() {
        assertThat(view.pods()).extracting(Pod::uid).containsExactlyInAnyOrder("here", "there");
        assertThat(view.podsIn("team-b")).extracting(Pod::uid).containsExactly("there");
        assertThat(view.podsIn(NAMESPACE)).extracting(Pod::uid).containsExactly("here");
        assertThat(view.podsOn("n1")).extracting(Pod::uid).containsExactly("here");
        assertThat(view.podsOn("n3")).isEmpty();
        assertThat(view.pod("there")).isPresent();
        assertThat(view.pod("elsewhere")).isEmpty();
        assertThat(view.pod("waiting")).isEmpty();
    }

    @Test
    void all_nodes_and_namespaces_are_seen() {
        assertThat(view.nodes()).containsExactlyElementsOf(cluster.nodes());
        assertThat(view.node("n3")).isEqualTo(cluster.node("n3"));
        assertThat(view.namespaces()).containsExactlyInAnyOrderElementsOf(cluster.namespaces());
        assertThat(view.namespace("team-b")).isEqualTo(cluster.namespace("team-b"));
    }
}

package dev.holdfast.policies.index.pods;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.Facts;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/**
 * When entries for pods with anti-affinity are stored and dropped. {@code PlansAlikeTest} and {@code IndexHistoryTest}
 * test which nodes the entries exclude.
 */
class ExistingAntiAffinityTest {
    private final ExistingAntiAffinity existingAntiAffinity = new ExistingAntiAffinity(new ClusterCache());

    private static PodEntry entry(Pod pod) {
        return new PodEntry(
                pod,
                new LabelVariant(
                        new LabelClass(new NamespaceEntry("shop", new HashSet<>()), Labels.none()), Labels.none()));
    }

    @Test
    void somethingIsKeptUntilTheLastPodWithTheSameTermsHasLeft() {
        PodEntry one = entry(Facts.pod("web-1", apartFrom(term(app("db"), ZONE))));
        PodEntry other = entry(Facts.pod("web-2", apartFrom(term(app("db"), ZONE))));
        existingAntiAffinity.came(one);
        existingAntiAffinity.came(other);

        existingAntiAffinity.left(one);
        assertThat(existingAntiAffinity.isEmpty()).isFalse();
        existingAntiAffinity.left(other);
        assertThat(existingAntiAffinity.isEmpty()).isTrue();
    }

    @Test
    void nothingIsKeptOfAPodWithoutAntiAffinity() {
        existingAntiAffinity.came(entry(Facts.pod("web-1")));

        assertThat(existingAntiAffinity.isEmpty()).isTrue();
    }
}

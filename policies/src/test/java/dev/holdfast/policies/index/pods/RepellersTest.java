package dev.holdfast.policies.index.pods;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.Facts;
import org.junit.jupiter.api.Test;

/** What is kept of pods with anti-affinity of their own; whom they keep out is tested against {@code evaluate}. */
class RepellersTest {
    private final Repellers repellers = new Repellers(new Roster());

    private static PodEntry entry(Pod pod) {
        return new PodEntry(pod, new Variant(new LabelClass(new NamespaceEntry("shop"), Labels.none()), Labels.none()));
    }

    @Test
    void something_is_kept_until_the_last_pod_with_the_same_terms_has_left() {
        PodEntry one = entry(Facts.pod("web-1", apartFrom(term(app("db"), ZONE))));
        PodEntry other = entry(Facts.pod("web-2", apartFrom(term(app("db"), ZONE))));
        repellers.came(one);
        repellers.came(other);

        repellers.left(one);
        assertThat(repellers.isEmpty()).isFalse();
        repellers.left(other);
        assertThat(repellers.isEmpty()).isTrue();
    }

    @Test
    void nothing_is_kept_of_a_pod_without_anti_affinity() {
        repellers.came(entry(Facts.pod("web-1")));

        assertThat(repellers.isEmpty()).isTrue();
    }
}

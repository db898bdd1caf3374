package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.NamespaceChanged;
import dev.holdfast.policies.model.ClusterEvent.NamespaceGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SightTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final CoreFacts facts = new CoreFacts();
    private final List<ClusterEvent> told = new ArrayList<>();
    private Instant now = START;
    private final Sight<SlimNamespace> sight = new Sight<>(
            new Kind<>(
                    SlimNamespace.class,
                    "namespaces",
                    View.NAMESPACES,
                    it -> it.getMetadata().getName(),
                    it -> new NamespaceChanged(facts.namespace(it)),
                    NamespaceGone::new),
            () -> now,
            told::add);

    @Test
    void eachVersionOfAnObjectIsToldOnce() {
        sight.changed(namespace("a", "1"));
        sight.changed(namespace("a", "1"));
        sight.changed(namespace("a", "2"));

        assertThat(told).containsExactly(changed("a", 1), changed("a", 2));
        assertThat(sight.size()).isEqualTo(1);
    }

    @Test
    void aDeletionIsToldOnce() {
        sight.changed(namespace("a", "1"));
        sight.deleted(namespace("a", "2"));
        sight.deleted(namespace("a", "2"));

        assertThat(told).containsExactly(changed("a", 1), new NamespaceGone("a"));
    }

    @Test
    void whatANewListDoesNotNameHasGoneUnseen() {
        sight.changed(namespace("a", "1"));
        sight.changed(namespace("b", "2"));
        told.clear();

        sight.changed(namespace("b", "2"));
        sight.changed(namespace("c", "4"));
        sight.listed(Set.of("b", "c"), "5");

        assertThat(told).containsExactly(changed("c", 4), new NamespaceGone("a"));
        assertThat(sight.reached()).isEqualTo("5");
    }

    @Test
    void anObjectThatCannotBeReadIsNamedAndNotTakenForSeen() {
        assertThatThrownBy(() -> sight.changed(namespace("a", "not a number")))
                .hasMessageStartingWith("namespaces null/a cannot be read: ");
        assertThat(sight.size()).isZero();
        assertThat(sight.reached()).isEmpty();
    }

    @Test
    void aBookmarkMovesTheVersion() {
        sight.reached("9");

        assertThat(sight.reached()).isEqualTo("9");
        assertThat(told).isEmpty();
    }

    @Test
    void aSignOfLifeIsNoted() {
        assertThat(sight.heard()).isEqualTo(START);
        now = START.plusSeconds(60);
        sight.alive();

        assertThat(sight.heard()).isEqualTo(START.plusSeconds(60));
    }

    private static SlimNamespace namespace(String name, String version) {
        SlimNamespace namespace = new SlimNamespace();
        namespace.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withResourceVersion(version)
                .build());
        return namespace;
    }

    private static ClusterEvent changed(String name, long version) {
        return new NamespaceChanged(new Namespace(name, version, Labels.none()));
    }
}

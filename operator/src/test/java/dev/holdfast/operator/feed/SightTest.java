package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.NamespaceChanged;
import dev.holdfast.policies.model.ClusterEvent.NamespaceGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SightTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final List<ClusterEvent> told = new ArrayList<>();
    private Instant now = START;
    private final Sight sight = new Sight(Kind.NAMESPACES, () -> now, told::add);

    private void changed(String name, long version) {
        sight.changed(name, version, event(name, version));
    }

    @Test
    void eachVersionOfAnObjectIsToldOnce() {
        changed("a", 1);
        changed("a", 1);
        changed("a", 2);

        assertThat(told).containsExactly(event("a", 1), event("a", 2));
        assertThat(sight.size()).isEqualTo(1);
    }

    @Test
    void whatCouldNotBeToldIsToldWhenItIsNamedAgain() {
        List<ClusterEvent> taken = new ArrayList<>();
        Sight refused = new Sight(Kind.NAMESPACES, () -> now, change -> {
            if (taken.add(change) && taken.size() == 1) {
                throw new IllegalStateException("planted");
            }
        });

        assertThatThrownBy(() -> refused.changed("a", 1, event("a", 1))).hasMessage("planted");
        refused.changed("a", 1, event("a", 1));
        refused.changed("a", 1, event("a", 1));

        assertThat(taken).containsExactly(event("a", 1), event("a", 1));
    }

    @Test
    void aDeletionIsToldOnce() {
        changed("a", 1);
        sight.deleted("a", 2);
        sight.deleted("a", 2);

        assertThat(told).containsExactly(event("a", 1), new NamespaceGone("a"));
    }

    @Test
    void whatANewListDoesNotNameHasGoneUnseen() {
        changed("a", 1);
        changed("b", 2);
        told.clear();

        sight.listing();
        changed("c", 4);
        changed("b", 2);
        sight.listed(5);

        assertThat(told).containsExactly(event("c", 4), new NamespaceGone("a"));
        assertThat(sight.reached()).isEqualTo(5);
    }

    @Test
    void aListNamesObjectsInAnyOrderAndAWatchByTheirVersions() {
        sight.listing();
        changed("a", 7);
        changed("b", 3);
        sight.listed(9);

        assertThatThrownBy(() -> changed("c", 8)).hasMessage("its version went back from 9 to 8");
        assertThatThrownBy(() -> sight.deleted("a", 8)).hasMessage("its version went back from 9 to 8");
        assertThatThrownBy(() -> sight.reached(8)).hasMessage("its version went back from 9 to 8");
        assertThat(sight.reached()).isEqualTo(9);
        assertThat(sight.wentBack()).as("only a list tells of another past").isFalse();
    }

    @Test
    void whatWasSeenOfAnotherHistoryIsToldAgain() {
        changed("a", 1);
        sight.distrust();
        changed("a", 1);

        assertThat(told).containsExactly(event("a", 1), event("a", 1));
    }

    @Test
    void anOlderListIsNotForgottenBecauseItWasCut() {
        changed("a", 5);
        sight.listing();
        changed("a", 4);
        sight.listing();
        changed("a", 4);
        sight.listed(9);
        assertThat(sight.wentBack()).isTrue();

        sight.distrust();
        assertThat(sight.wentBack()).isFalse();
    }

    @Test
    void aListOfAnOlderVersionIsOlder() {
        sight.reached(9);
        sight.listing();
        sight.listed(8);

        assertThat(sight.wentBack()).isTrue();
        assertThat(sight.reached()).isEqualTo(8);
    }

    @Test
    void whatAListThatWasCutDidNotNameIsKept() {
        changed("a", 1);
        sight.listing();
        changed("b", 2);
        sight.listing();
        changed("b", 2);
        changed("a", 1);
        sight.listed(3);

        assertThat(told).containsExactly(event("a", 1), event("b", 2));
    }

    @Test
    void aBookmarkMovesTheVersion() {
        sight.reached(9);

        assertThat(sight.reached()).isEqualTo(9);
        assertThat(told).isEmpty();
    }

    @Test
    void aListSaysWhatThereWasWhenItBeganAndOneThatIsCutSaysNothing() {
        now = START.plusSeconds(60);
        sight.listing();
        changed("a", 1);
        assertThat(sight.changesHeard()).as("before its end").isEqualTo(START);

        now = START.plusSeconds(90);
        sight.listed(2);
        assertThat(sight.changesHeard()).isEqualTo(START.plusSeconds(60));
    }

    @Test
    void aSignOfLifeIsNoted() {
        assertThat(sight.heard()).isEqualTo(START);
        now = START.plusSeconds(60);
        sight.alive();

        assertThat(sight.heard()).isEqualTo(START.plusSeconds(60));
    }

    private static ClusterEvent event(String name, long version) {
        return new NamespaceChanged(new Namespace(name, version, Labels.none()));
    }
}

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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SeenObjectsTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final List<ClusterEvent> told = new ArrayList<>();
    private Instant now = START;
    private final SeenObjects seenObjects = new SeenObjects(WatchedKind.NAMESPACES, () -> now, told::add);

    private void changed(String name, long version) {
        seenObjects.changed(name, version, event(name, version));
    }

    @Test
    void eachVersionOfAnObjectIsToldOnce() {
        changed("a", 1);
        changed("a", 1);
        changed("a", 2);

        assertThat(told).containsExactly(event("a", 1), event("a", 2));
        assertThat(seenObjects.size()).isEqualTo(1);
    }

    @Test
    void whatCouldNotBeToldIsToldWhenItIsNamedAgain() {
        List<ClusterEvent> taken = new ArrayList<>();
        SeenObjects refused = new SeenObjects(WatchedKind.NAMESPACES, () -> now, change -> {
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
        seenObjects.deleted("a", 2);
        seenObjects.deleted("a", 2);

        assertThat(told).containsExactly(event("a", 1), new NamespaceGone("a"));
    }

    @Test
    void whatANewListDoesNotNameHasGoneUnseen() {
        changed("a", 1);
        changed("b", 2);
        told.clear();

        seenObjects.listing();
        changed("c", 4);
        changed("b", 2);
        seenObjects.listed(5);

        assertThat(told).containsExactly(event("c", 4), new NamespaceGone("a"));
        assertThat(seenObjects.reached()).isEqualTo(5);
    }

    @Test
    void aListNamesObjectsInAnyOrderAndAWatchByTheirVersions() {
        seenObjects.listing();
        changed("a", 7);
        changed("b", 3);
        seenObjects.listed(9);

        assertThatThrownBy(() -> changed("c", 8)).hasMessage("its version went back from 9 to 8");
        assertThatThrownBy(() -> seenObjects.deleted("a", 8)).hasMessage("its version went back from 9 to 8");
        assertThatThrownBy(() -> seenObjects.reached(8)).hasMessage("its version went back from 9 to 8");
        assertThat(seenObjects.reached()).isEqualTo(9);
        assertThat(seenObjects.versionWentBack())
                .as("only a list shows that the state went back")
                .isFalse();
    }

    @Test
    void whatWasSeenOfAnotherHistoryIsToldAgain() {
        changed("a", 1);
        seenObjects.forgetVersions();
        changed("a", 1);

        assertThat(told).containsExactly(event("a", 1), event("a", 1));
    }

    @Test
    void whatIsInDoubtIsToldAgainByTheNextCompleteListAlthoughItsVersionIsKnown() {
        changed("a", 1);
        changed("b", 2);
        told.clear();

        seenObjects.redeliver();
        seenObjects.listing();
        changed("a", 1);
        seenObjects.listing();
        changed("a", 1);
        changed("b", 2);
        seenObjects.listed(5);
        seenObjects.listing();
        changed("a", 1);
        changed("b", 2);
        seenObjects.listed(5);

        assertThat(told).containsExactly(event("a", 1), event("a", 1), event("b", 2));
    }

    @Test
    void aStateThatWentBackIsSeenAlsoWhileAllIsToldAgain() {
        changed("a", 5);

        seenObjects.redeliver();
        seenObjects.listing();
        changed("a", 4);

        assertThat(seenObjects.versionWentBack()).isTrue();
    }

    @Test
    void aVersionIsReachedOnlyAfterItsChangeWasDelivered() {
        List<Long> reached = new ArrayList<>();
        AtomicReference<SeenObjects> table = new AtomicReference<>();
        SeenObjects seen = new SeenObjects(
                WatchedKind.NAMESPACES, () -> now, _ -> reached.add(table.get().reached()));
        table.set(seen);

        seen.changed("a", 3, event("a", 3));
        seen.deleted("a", 4);

        assertThat(reached).containsExactly(0L, 3L);
        assertThat(seen.reached()).isEqualTo(4);
    }

    @Test
    void anOlderListIsNotForgottenBecauseItWasCut() {
        changed("a", 5);
        seenObjects.listing();
        changed("a", 4);
        seenObjects.listing();
        changed("a", 4);
        seenObjects.listed(9);
        assertThat(seenObjects.versionWentBack()).isTrue();

        seenObjects.forgetVersions();
        assertThat(seenObjects.versionWentBack()).isFalse();
    }

    @Test
    void aListOfAnOlderVersionIsOlder() {
        seenObjects.reached(9);
        seenObjects.listing();
        seenObjects.listed(8);

        assertThat(seenObjects.versionWentBack()).isTrue();
        assertThat(seenObjects.reached()).isEqualTo(8);
    }

    @Test
    void whatAListThatWasCutDidNotNameIsKept() {
        changed("a", 1);
        seenObjects.listing();
        changed("b", 2);
        seenObjects.listing();
        changed("b", 2);
        changed("a", 1);
        seenObjects.listed(3);

        assertThat(told).containsExactly(event("a", 1), event("b", 2));
    }

    @Test
    void aBookmarkMovesTheVersion() {
        seenObjects.reached(9);

        assertThat(seenObjects.reached()).isEqualTo(9);
        assertThat(told).isEmpty();
    }

    @Test
    void aListSaysWhatThereWasWhenItBeganAndOneThatIsCutSaysNothing() {
        now = START.plusSeconds(60);
        seenObjects.listing();
        changed("a", 1);
        assertThat(seenObjects.changesHeard()).as("before the end of the list").isEqualTo(START);

        now = START.plusSeconds(90);
        seenObjects.listed(2);
        assertThat(seenObjects.changesHeard()).isEqualTo(START.plusSeconds(60));
    }

    @Test
    void aSignOfLifeIsNoted() {
        assertThat(seenObjects.lastHeard()).isEqualTo(START);
        now = START.plusSeconds(60);
        seenObjects.heard();

        assertThat(seenObjects.lastHeard()).isEqualTo(START.plusSeconds(60));
    }

    private static ClusterEvent event(String name, long version) {
        return new NamespaceChanged(new Namespace(name, version, Labels.none()));
    }
}

package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.NamespaceChanged;
import dev.holdfast.policies.model.ClusterEvent.NamespaceGone;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
    void whatIsInDoubtIsToldOnceMoreAlthoughItsVersionIsKnown() {
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

        assertThat(told).containsExactly(event("a", 1), event("b", 2));
    }

    @Test
    void anObjectThatCanNeverBeReadDoesNotMakeEachListTellAllOthersAgain() {
        changed("a", 1);
        told.clear();

        for (int i = 0; i < 3; i++) {
            seenObjects.redeliver();
            seenObjects.listing();
            changed("a", 1);
        }
        assertThat(told).containsExactly(event("a", 1));

        seenObjects.listed(5);
        seenObjects.redeliver();
        seenObjects.listing();
        changed("a", 1);
        assertThat(told).as("after a complete list, new doubt counts").containsExactly(event("a", 1), event("a", 1));
    }

    @Test
    void aDeletionThatCouldNotBeToldIsToldByTheNextList() {
        List<ClusterEvent> taken = new ArrayList<>();
        SeenObjects refused = new SeenObjects(WatchedKind.NAMESPACES, () -> now, change -> {
            taken.add(change);
            if (taken.size() == 2) {
                throw new IllegalStateException("planted");
            }
        });
        refused.changed("a", 1, event("a", 1));

        assertThatThrownBy(() -> refused.deleted("a", 2)).hasMessage("planted");
        refused.listing();
        refused.listed(3);

        assertThat(taken).containsExactly(event("a", 1), new NamespaceGone("a"), new NamespaceGone("a"));
        assertThat(refused.size()).isZero();
    }

    static Stream<Arguments> uses() {
        return Stream.<Map.Entry<String, Consumer<SeenObjects>>>of(
                        Map.entry("a change", it -> it.changed("a", 9, event("a", 9))),
                        Map.entry("a deletion", it -> it.deleted("a", 9)),
                        Map.entry("a bookmark", it -> it.reached(9)),
                        Map.entry("the beginning of a list", SeenObjects::listing),
                        Map.entry("the end of a list", it -> it.listed(9)),
                        Map.entry("doubt", SeenObjects::redeliver),
                        Map.entry("another past", SeenObjects::serverWentBack),
                        Map.entry("forgotten versions", SeenObjects::forgetVersions),
                        Map.entry("the question for another past", it -> {
                            boolean _ = it.versionWentBack();
                        }))
                .map(use -> Arguments.argumentSet(use.getKey(), use.getValue()));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void aSecondThreadIsRefused(Consumer<SeenObjects> use) {
        changed("a", 1);

        assertThatThrownBy(() -> CompletableFuture.runAsync(() -> use.accept(seenObjects))
                        .join())
                .hasCauseInstanceOf(OwnerThread.ForeignThreadException.class)
                .hasMessageContaining("the table of namespaces belongs to the thread '");
        assertThat(told).containsExactly(event("a", 1));
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

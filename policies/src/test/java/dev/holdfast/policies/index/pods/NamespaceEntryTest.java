package dev.holdfast.policies.index.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.selector.LabelAnchor;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceEntryTest {
    private static final LabelAnchor WEB = new LabelAnchor("app", Optional.of("web"));
    private static final LabelAnchor ANY_APP = new LabelAnchor("app", Optional.empty());

    private final Set<NamespaceEntry> withUnread = new HashSet<>();
    private final NamespaceEntry shop = new NamespaceEntry("shop", withUnread);

    private LabelClass added(String... labels) {
        LabelClass kind = new LabelClass(shop, Labels.of(labels));
        shop.add(kind);
        return kind;
    }

    @Test
    void classesAreListedByNoLabelThatNoRuleLooksFor() {
        added("app", "web", "pod-name", "web-0");
        added("app", "web", "pod-name", "web-1");
        assertThat(shop.listedKeys()).isEmpty();
        shop.withOneOf(List.of(WEB));
        assertThat(shop.listedKeys()).containsExactly("app");
        shop.forget("app");
        assertThat(shop.listedKeys()).isEmpty();
    }

    @Test
    void classesThatComeAndGoAreFoundByALabelThatWasLookedForBefore() {
        LabelClass first = added("app", "web", "pod-name", "web-0");
        assertThat(shop.withOneOf(List.of(WEB))).containsExactly(first);
        LabelClass second = added("app", "web", "pod-name", "web-1");
        LabelClass other = added("app", "cache");
        LabelClass without = added("pod-name", "x");
        assertThat(shop.withOneOf(List.of(WEB))).containsExactly(first, second);
        assertThat(shop.withOneOf(List.of(ANY_APP))).containsExactly(first, second, other);
        assertThat(shop.withOneOf(List.of())).containsExactly(first, second, other, without);
        shop.remove(first);
        shop.remove(other);
        assertThat(shop.withOneOf(List.of(ANY_APP))).containsExactly(second);
        shop.remove(second);
        assertThat(shop.withOneOf(List.of(WEB))).isEmpty();
    }

    @Test
    void classesThatLeaveBeforeTheNextLookAreNeverFound() {
        LabelClass first = added("app", "web", "pod-name", "web-0");
        shop.withOneOf(List.of(WEB));
        LabelClass second = added("app", "web", "pod-name", "web-1");
        LabelClass third = added("app", "web", "pod-name", "web-2");
        LabelClass fourth = added("app", "web", "pod-name", "web-3");
        shop.remove(second);
        shop.remove(fourth);
        assertThat(shop.withOneOf(List.of(WEB))).containsExactly(first, third);
        shop.remove(third);
        assertThat(shop.withOneOf(List.of(WEB))).containsExactly(first);
    }

    @Test
    void variantsWithUnreadLabelsAreKeptUntilTheyAreRemoved() {
        LabelClass kind = new LabelClass(shop, Labels.unread());
        LabelVariant odd = new LabelVariant(kind, Labels.unread());
        shop.add(kind);
        shop.add(odd);
        added("app", "web");
        assertThat(shop.unreadVariants()).containsExactly(odd);

        shop.remove(odd);

        assertThat(shop.unreadVariants()).isEmpty();
    }

    @Test
    void anEntryIsListedWhileLabelsOfItsOwnOrOfItsPodsWereNotRead() {
        LabelVariant unread = new LabelVariant(added(), Labels.unread());
        shop.add(new LabelVariant(added("app", "web"), Labels.of("app", "web")));
        assertThat(withUnread).isEmpty();
        shop.add(unread);
        assertThat(withUnread).containsExactly(shop);
        assertThat(shop.hasUnreadLabels()).isFalse();

        shop.is(Optional.of(new Namespace("shop", 2, Labels.unread())));
        shop.remove(unread);
        assertThat(withUnread).containsExactly(shop);
        assertThat(shop.hasUnreadLabels()).isTrue();

        shop.is(Optional.of(new Namespace("shop", 3, Labels.none())));
        assertThat(withUnread).isEmpty();
    }
}

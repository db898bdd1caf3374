package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The labels that deleted nodes had. When a node is created again under its name, these labels show which ones changed.
 */
final class DeletedNodes {
    /**
     * The maximum number of deleted nodes. If a node with the same name is created without one of these labels, the
     * label counts as lost.
     */
    private static final int MOST = 10_000;

    /** The maximum number of deleted nodes that the ledger has. */
    private static final int MOST_REMEMBERED = 2_000;

    /** The deleted nodes by name; the most recently deleted one is at the end. */
    private final SequencedMap<String, Deleted> byName = new LinkedHashMap<>();

    private record Deleted(Labels labels, Instant at) {}

    /** @param read a test for the label keys that rules read; other labels are not stored */
    void deleted(Node node, Predicate<String> read, Instant now) {
        Map<String, String> kept = new TreeMap<>(node.labels().toMap());
        kept.keySet().removeIf(read.negate());
        if (!kept.isEmpty()) {
            byName.putLast(node.name(), new Deleted(Labels.of(kept), now));
        }
        if (byName.size() > MOST) {
            byName.pollFirstEntry();
        }
    }

    /** {@return the labels of the deleted node with this name, which exists again; empty if none is stored} */
    Optional<Labels> take(String name) {
        return Optional.ofNullable(byName.remove(name)).map(Deleted::labels);
    }

    /** {@return the labels of deleted nodes, for the next process of the operator: of very many, the last ones} */
    List<RememberedBrakes.Gone> remembered() {
        return byName.entrySet().stream()
                .skip(Math.max(0, byName.size() - MOST_REMEMBERED))
                .map(one -> new RememberedBrakes.Gone(
                        one.getKey(),
                        one.getValue().labels().toMap(),
                        one.getValue().at()))
                .toList();
    }

    /** Takes over the labels that an earlier process stored, unless this process has newer ones. */
    void recall(List<RememberedBrakes.Gone> remembered) {
        SequencedMap<String, Deleted> newer = new LinkedHashMap<>(byName);
        byName.clear();
        remembered.forEach(one -> byName.put(one.node(), new Deleted(Labels.of(one.labels()), one.at())));
        newer.forEach(byName::putLast);
    }

    /** Forgets the nodes whose label keys and time of deletion pass a test. */
    void forget(BiPredicate<Labels, Instant> isOver) {
        byName.values().removeIf(one -> isOver.test(one.labels(), one.at()));
    }

    int size() {
        return byName.size();
    }
}

package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The last ten evictions of each policy, newest first. */
public final class EvictionHistory {
    private static final int KEPT = 10;

    private final Map<PolicyId, Deque<Entry>> byPolicy = new HashMap<>();

    private record Entry(String planId, PolicyReport.EvictionRecord record) {}

    public void add(PolicyId policy, String planId, PolicyReport.EvictionRecord record) {
        Deque<Entry> entries = byPolicy.computeIfAbsent(policy, _ -> new ArrayDeque<>());
        entries.addFirst(new Entry(planId, record));
        if (entries.size() > KEPT) {
            entries.removeLast();
        }
    }

    /**
     * Adds the replacement's node and, once known, the outcome to the eviction with this plan ID.
     *
     * @param toNode the node of the replacement; absent if there is none
     * @param outcome how the move ended; absent while it is in flight
     */
    public void complete(String planId, Optional<String> toNode, Optional<Outcome> outcome) {
        UnaryOperator<Entry> completed = entry ->
                entry.planId().equals(planId) ? new Entry(planId, entry.record().completed(toNode, outcome)) : entry;
        byPolicy.replaceAll(
                (_, entries) -> entries.stream().map(completed).collect(Collectors.toCollection(ArrayDeque::new)));
    }

    public void forget(PolicyId policy) {
        byPolicy.remove(policy);
    }

    public List<PolicyReport.EvictionRecord> of(PolicyId policy) {
        Deque<Entry> entries = byPolicy.get(policy);
        return entries == null ? List.of() : entries.stream().map(Entry::record).toList();
    }
}

package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.Cell;
import dev.holdfast.policies.index.count.Group;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * For how many holders a spread would be broken, were one pod elsewhere. The domains whose counts would be others are looked
 * at one by one; of all the others only another least domain matters, and for each least one they are looked at once.
 */
final class SpreadOutlook implements ToIntFunction<Node> {
    private final LiveSpread rule;
    private final ToIntFunction<Group> staying;

    /** How many more there will be by domain, with the pod still where it is. */
    private final Map<String, Integer> before = new HashMap<>();

    private final int leastBefore;
    private final Optional<String> from;

    /** By least domain: for how many more it would be broken, were no count another. */
    private final Map<Integer, Integer> byLeast = new HashMap<>();

    SpreadOutlook(LiveSpread rule, Passage passage) {
        this.rule = rule;
        this.staying = passage::staying;
        passage.forEachGone(rule, pod -> {
            if (!pod.pod().terminating()) {
                pod.countsOn().flatMap(rule::domain).ifPresent(domain -> before.merge(domain, -1, Integer::sum));
            }
        });
        passage.forEachArriving(
                rule, node -> rule.domain(node).ifPresent(domain -> before.merge(domain, 1, Integer::sum)));
        this.leastBefore = rule.least(before);
        this.from = passage.from().flatMap(rule::domain);
    }

    @Override
    public int applyAsInt(Node node) {
        Optional<String> to = rule.domain(node);
        if (to.equals(from)) {
            return 0;
        }
        Map<String, Integer> after = new HashMap<>(before);
        from.ifPresent(domain -> after.merge(domain, -1, Integer::sum));
        to.ifPresent(domain -> after.merge(domain, 1, Integer::sum));
        int least = rule.least(after);
        int more = byLeast.computeIfAbsent(least, this::ofLeast);
        for (String domain : after.keySet()) {
            Cell cell = rule.cellIfUsed(domain);
            if (cell != null) {
                more += broken(cell, after, least) - broken(cell, before, leastBefore);
                more -= broken(cell, Map.of(), least) - broken(cell, Map.of(), leastBefore);
            }
        }
        return more;
    }

    private int ofLeast(int least) {
        int more = 0;
        for (List<Cell> cells : rule.between(least, leastBefore)) {
            for (Cell cell : cells) {
                more += broken(cell, Map.of(), least) - broken(cell, Map.of(), leastBefore);
            }
        }
        return more;
    }

    private int broken(Cell cell, Map<String, Integer> counts, int least) {
        int count = cell.count() + counts.getOrDefault(cell.domain(), 0);
        return cell.broken(staying, adds -> rule.isBroken(count, adds, least));
    }
}

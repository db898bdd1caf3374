package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A set of affinity terms. A partner matches all of them and counts once for every topology key that its node has
 * (AF-1, AF-2); the total decides whether a holder may be the first of its group (AF-5).
 *
 * <p>Holders share a verdict when they are in the same domain of every key and are, or are not, partners themselves.
 */
final class LiveAffinity extends LiveRule {
    /** How many partners can make a difference to a holder that is one itself. */
    private static final int FEW = 2;

    private final List<String> keys;
    private final Docket docket;
    private final Map<Domain, Cell> cells = new HashMap<>();
    private final Map<Seat, Sharing> groups = new HashMap<>();
    private final Set<Sharing> ofPartners = new LinkedHashSet<>();
    private final Group keyless = new Group.Broken();

    /** Partners on a node with at least one of the keys. */
    private int total;

    LiveAffinity(List<TermMatcher> terms, Docket docket) {
        super(terms);
        this.keys = terms.stream()
                .map(term -> term.topologyKey().intern())
                .distinct()
                .toList();
        this.docket = docket;
    }

    private record Domain(String key, String value) {}

    /** The domain of each key, and whether the holder is a partner. */
    private record Seat(List<String> domains, boolean partner) {}

    @Override
    void came(PodEntry partner, Node node) {
        count(node, 1);
    }

    @Override
    void left(PodEntry partner, Node node) {
        count(node, -1);
    }

    private void count(Node node, int more) {
        boolean anywhere = false;
        for (String key : keys) {
            Optional<String> value = node.labels().get(key);
            if (value.isPresent()) {
                anywhere = true;
                Cell cell = cells.computeIfAbsent(new Domain(key, value.get()), Cell::new);
                cell.count += more;
                if (matters(cell.count, more)) {
                    cell.listeners.forEach(docket::doubt);
                }
                cell.dropIfEmpty(cells);
            }
        }
        if (anywhere) {
            total += more;
            if (matters(total, more)) {
                ofPartners.forEach(docket::doubt);
            }
        }
    }

    /** {@return whether a verdict can depend on the step to this count: whether anybody is there, or one besides oneself} */
    private static boolean matters(int count, int more) {
        return Math.min(count, count - more) < FEW;
    }

    @Override
    @Nullable
    Group seat(PodEntry holder, Node node) {
        List<String> domains = new ArrayList<>(keys.size());
        for (String key : keys) {
            Optional<String> value = node.labels().get(key);
            if (value.isEmpty()) {
                return keyless;
            }
            domains.add(value.get());
        }
        Seat seat = new Seat(domains, holder.variant.isMatchedBy(this));
        Sharing known = groups.get(seat);
        if (known == null) {
            known = new Sharing(seat);
            known.broken = known.isBroken();
            groups.put(seat, known);
            if (seat.partner()) {
                ofPartners.add(known);
            }
        }
        return known;
    }

    @Override
    Breach breach(PodEntry holder, Node node, Rule rule, Partners partners) {
        int self = holder.variant.isMatchedBy(this) ? 1 : 0;
        Domain lonely = new Domain("", "");
        for (String key : keys) {
            Optional<String> value = node.labels().get(key);
            if (value.isEmpty()) {
                return new Breach.NoTopologyKey(node.name(), key);
            }
            Domain domain = new Domain(key, value.get());
            Cell cell = cells.get(domain);
            if (lonely.key().isEmpty() && (cell == null || cell.count == self)) {
                lonely = domain;
            }
        }
        return new Breach.NoPartner(lonely.key(), lonely.value(), rule.describe());
    }

    @Override
    ToIntFunction<Node> moreBroken(Passage passage) {
        Counts before = new Counts();
        passage.forEachGone(this, pod -> pod.countsOn().ifPresent(node -> before.add(node, -1)));
        passage.forEachArriving(this, node -> before.add(node, 1));
        Counts left = before.copy();
        passage.from().ifPresent(node -> left.add(node, -1));
        return node -> {
            Counts after = left.copy();
            after.add(node, 1);
            return moreBroken(before, after, passage);
        };
    }

    private int moreBroken(Counts before, Counts after, Passage passage) {
        Set<Sharing> concerned = new LinkedHashSet<>();
        for (Map.Entry<Domain, Integer> changed : after.more.entrySet()) {
            Cell cell = cells.get(changed.getKey());
            if (cell != null && !changed.getValue().equals(before.more.getOrDefault(changed.getKey(), 0))) {
                concerned.addAll(cell.listeners);
            }
        }
        if (after.inAll != before.inAll) {
            concerned.addAll(ofPartners);
        }
        int more = 0;
        for (Sharing group : concerned) {
            int change = (after.breaks(group) ? 1 : 0) - (before.breaks(group) ? 1 : 0);
            more += change == 0 ? 0 : change * passage.staying(group);
        }
        return more;
    }

    /** How many partners more there would be than there are. */
    private final class Counts {
        private final Map<Domain, Integer> more = new HashMap<>();
        private int inAll;

        Counts copy() {
            Counts copy = new Counts();
            copy.more.putAll(more);
            copy.inAll = inAll;
            return copy;
        }

        void add(Node node, int many) {
            boolean anywhere = false;
            for (String key : keys) {
                Optional<String> value = node.labels().get(key);
                if (value.isPresent()) {
                    anywhere = true;
                    more.merge(new Domain(key, value.get()), many, Integer::sum);
                }
            }
            inAll += anywhere ? many : 0;
        }

        boolean breaks(Sharing group) {
            return group.isBroken(total + inAll, cell -> cell.count + more.getOrDefault(cell.domain, 0));
        }
    }

    /** {@return how many domains have a partner or a holder} */
    int domains() {
        return cells.size();
    }

    /** The partners in one domain, and the groups whose verdict reads the count. */
    private static final class Cell {
        private final Domain domain;
        private final Set<Sharing> listeners = new LinkedHashSet<>();
        private int count;

        Cell(Domain domain) {
            this.domain = domain;
        }

        void dropIfEmpty(Map<Domain, Cell> cells) {
            if (count == 0 && listeners.isEmpty()) {
                cells.remove(domain);
            }
        }
    }

    private final class Sharing extends Group {
        private final Seat seat;
        private final List<Cell> read = new ArrayList<>();

        Sharing(Seat seat) {
            this.seat = seat;
            for (int i = 0; i < keys.size(); i++) {
                Cell cell = cells.computeIfAbsent(
                        new Domain(keys.get(i), seat.domains().get(i)), Cell::new);
                cell.listeners.add(this);
                read.add(cell);
            }
        }

        @Override
        boolean isBroken() {
            return isBroken(total, cell -> cell.count);
        }

        /** {@return the verdict, were the counts so} */
        boolean isBroken(int all, ToIntFunction<Cell> counts) {
            int self = seat.partner() ? 1 : 0;
            boolean first = seat.partner() && all == self;
            if (first) {
                return false;
            }
            for (Cell cell : read) {
                if (counts.applyAsInt(cell) == self) {
                    return true;
                }
            }
            return false;
        }

        @Override
        void emptied() {
            groups.remove(seat);
            ofPartners.remove(this);
            for (Cell cell : read) {
                cell.listeners.remove(this);
                cell.dropIfEmpty(cells);
            }
        }
    }
}

package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.SpreadDomains;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Records since when each domain of each spread is usable. A domain is usable while it has an eligible node that is
 * Ready, schedulable and not about to be removed. Eligible means that the spread counts the pods on the node. A domain
 * that was without such a node, even for a moment, counts as new from then on: pods were placed without it.
 *
 * <p>Example: zone c fails at 12:00 and recovers at 12:20. The zone is usable since 12:20, so it is new for all pods
 * bound before then, and not for pods bound later. The same holds if zone c always had nodes of other pools, and got
 * its first node of the pods' own pool at 12:20.
 *
 * <p>Spreads with the same eligible nodes share one table of domains. A table stays true while nodes are replaced one
 * by one. A table that begins later is made from the nodes that are present then: from when the operator saw them
 * change, and from their own creation and Ready times. If the first nodes of a domain were replaced before that, the
 * domain may seem younger than it is, and pods stay where they are.
 *
 * <p>Owned by one thread, which must call {@link #changed} for each node change before the view shows the change.
 */
public final class DomainHistory {
    /**
     * The maximum weight of kept tables: about 20 MB, or 1,000 tables, each of which costs time at each node change.
     * The tables of further spreads are made when they are needed.
     */
    static final int MOST_WEIGHT = 200_000;

    /** The maximum number of domains that the next process gets. */
    static final int MOST_REMEMBERED = 5_000;

    private static final int MOST_REMEMBERED_OF_SPREAD = 100;

    /** The weight of a table without its domains, each of which weighs 1. */
    static final int WEIGHT_OF_TABLE = 200;

    private final ClusterView view;
    private final NodeTimes nodeTimes = new NodeTimes();
    private final Map<SpreadDomains, DomainTable> kept = new HashMap<>();

    /** The tables made since the last node change for spreads whose tables are not kept. */
    private final Map<SpreadDomains, DomainTable> made = new HashMap<>();

    /** Since when domains were usable at {@link #until}, by the name of the spread and the domain. */
    private Map<String, Map<String, Instant>> recalled = Map.of();

    /** The instant at which the stored data of an earlier process were true. */
    private Instant until = Instant.MIN;

    /** Creates a history that begins with the creation and Ready times of the nodes in the view. */
    public DomainHistory(ClusterView view) {
        this.view = view;
    }

    /** Keeps the tables of these spreads, as far as there is room, and forgets all others. */
    public void follow(Set<SpreadDomains> spreads) {
        kept.keySet().retainAll(spreads);
        int weight = weight(kept.values());
        for (SpreadDomains spread : spreads) {
            if (weight >= MOST_WEIGHT) {
                return;
            }
            if (!kept.containsKey(spread)) {
                DomainTable table = of(spread);
                kept.put(spread, table);
                made.remove(spread);
                weight += weight(table);
            }
        }
    }

    /**
     * {@return whether a change of a node can change since when a domain is usable}
     *
     * @param before the node before the change; empty if it was added
     * @param after the node after the change; empty if it was removed
     */
    public static boolean matters(Optional<Node> before, Optional<Node> after) {
        return before.isEmpty()
                || after.isEmpty()
                || NodeTimes.isUsable(before.get()) != NodeTimes.isUsable(after.get())
                || NodeTimes.isAnother(before.get(), after.get())
                || !before.get().labels().equals(after.get().labels())
                || !before.get().taints().equals(after.get().taints());
    }

    /**
     * Records a change of a node.
     *
     * @param before the node before the change; empty if it was added
     * @param after the node after the change; empty if it was removed
     */
    public void changed(Optional<Node> before, Optional<Node> after, Instant now) {
        made.clear();
        kept.values().forEach(table -> table.changed(before, after, now));
        if (after.isEmpty()) {
            before.map(Node::name).ifPresent(nodeTimes::gone);
        } else {
            before.ifPresent(node -> nodeTimes.changed(node, after.get(), now));
        }
    }

    /**
     * Records that node changes may have been missed. All tables begin again: a domain counts as usable only since its
     * present nodes have been.
     */
    public void resync() {
        kept.clear();
        made.clear();
    }

    /**
     * {@return the domains of a spread that were unusable at some time since an instant: first those that are not
     * usable now, then the others, youngest first}
     */
    public List<NewDomain> newerThan(SpreadDomains spread, Instant instant) {
        return of(spread).newerThan(instant);
    }

    private DomainTable of(SpreadDomains spread) {
        DomainTable known = kept.get(spread);
        if (known == null) {
            known = made.get(spread);
        }
        if (known == null) {
            if (weight(made.values()) >= MOST_WEIGHT) {
                made.clear();
            }
            known = DomainTable.of(spread, view.nodes(), nodeTimes, recalled, until);
            made.put(spread, known);
        }
        return known;
    }

    /**
     * {@return the data about nodes and domains for the next process of the operator} Spreads with very many domains
     * are left out: if each node is a domain, the times of the nodes say as much.
     *
     * @param vanished the nodes that vanished
     * @param readByRules whether any rule reads a label key
     */
    public RememberedNodes remembered(VanishedNodes vanished, Predicate<String> readByRules) {
        return new RememberedNodes(
                nodeTimes.remembered(),
                kept.values().stream()
                        .filter(table -> table.size() <= MOST_REMEMBERED_OF_SPREAD)
                        .flatMap(table -> table.remembered().stream())
                        .sorted(Comparator.comparing(RememberedNodes.Usable::spread)
                                .thenComparing(RememberedNodes.Usable::domain))
                        .limit(MOST_REMEMBERED)
                        .toList(),
                vanished.remembered(readByRules));
    }

    /**
     * Takes over the data that an earlier process stored about the nodes that still exist.
     *
     * @param written the instant of these data
     */
    public void recall(RememberedNodes remembered, Instant written) {
        remembered.changed().stream()
                .filter(one -> view.node(one.node()).isPresent())
                .forEach(nodeTimes::recall);
        Map<String, Map<String, Instant>> bySpread = new HashMap<>();
        remembered
                .domains()
                .forEach(one -> bySpread.computeIfAbsent(one.spread(), _ -> new HashMap<>())
                        .put(one.domain(), one.since()));
        recalled = bySpread;
        until = written;
        made.clear();
        // Tables that this replica kept do not have the changes that only the earlier process saw.
        Set<SpreadDomains> spreads = Set.copyOf(kept.keySet());
        kept.clear();
        follow(spreads);
    }

    private static int weight(Collection<DomainTable> tables) {
        return tables.stream().mapToInt(DomainHistory::weight).sum();
    }

    private static int weight(DomainTable table) {
        return WEIGHT_OF_TABLE + table.size();
    }

    /**
     * {@return the number of domains tracked} The recorded changes of nodes do not count: they are part of what is
     * known of each node, and are forgotten with it.
     */
    public int size() {
        return kept.values().stream().mapToInt(DomainTable::size).sum()
                + made.values().stream().mapToInt(DomainTable::size).sum();
    }

    /** {@return the number of nodes with recorded changes; all of them are present} */
    int changedNodes() {
        return nodeTimes.size();
    }
}

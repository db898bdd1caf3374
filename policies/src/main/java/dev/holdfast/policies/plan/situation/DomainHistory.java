package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records since when each domain is usable. A domain is usable while it has a node that is Ready, schedulable and not
 * about to be removed. A domain that was without such a node, even for a moment, counts as new from then on: pods were
 * placed without it.
 *
 * <p>Example: zone c fails at 12:00 and recovers at 12:20. It is usable since 12:20, so it is new for all pods bound
 * before then, and not for pods bound later.
 *
 * <p>For the time before the process started, the creation and Ready times of the nodes count. If the first nodes of a
 * domain have been replaced, the domain may seem younger than it is.
 *
 * <p>Owned by one thread, which must call {@link #changed} for each node change before the view shows the change.
 */
public final class DomainHistory {
    private final ClusterView view;
    private final Map<String, OfKey> byKey = new HashMap<>();

    /** Creates a history that begins with the creation and Ready times of the nodes in the view. */
    public DomainHistory(ClusterView view) {
        this.view = view;
    }

    /** Tracks the domains of these topologyKeys, and forgets the domains of all other keys. */
    public void follow(Collection<String> topologyKeys) {
        byKey.keySet().retainAll(topologyKeys);
        topologyKeys.forEach(this::of);
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
                || isUsable(before.get()) != isUsable(after.get())
                || isAnother(before.get(), after.get())
                || !before.get().labels().equals(after.get().labels());
    }

    /** {@return whether the node was replaced, or was not Ready for some time between the two states} */
    private static boolean isAnother(Node before, Node after) {
        return !before.uid().equals(after.uid())
                || after.life().readySince().isAfter(before.life().readySince());
    }

    /**
     * Records a change of a node.
     *
     * @param before the node before the change; empty if it was added
     * @param after the node after the change; empty if it was removed
     */
    public void changed(Optional<Node> before, Optional<Node> after, Instant now) {
        byKey.forEach((key, domains) -> domains.changed(key, before, after, now));
    }

    /**
     * Records that node changes may have been missed. A domain whose present nodes have all become usable later than
     * recorded counts as usable only since then.
     */
    public void resync() {
        byKey.forEach((key, domains) -> domains.notBefore(read(key)));
    }

    /**
     * {@return the domains of a topologyKey that were unusable at some time since an instant: first those that are not
     * usable now, then the others, youngest first}
     */
    List<NewDomain> newerThan(String topologyKey, Instant instant) {
        List<NewDomain> youngestFirst = of(topologyKey).youngestFirst();
        int newer = 0;
        while (newer < youngestFirst.size() && youngestFirst.get(newer).isNewerThan(instant)) {
            newer++;
        }
        return youngestFirst.subList(0, newer);
    }

    private OfKey of(String topologyKey) {
        return byKey.computeIfAbsent(topologyKey, this::read);
    }

    private OfKey read(String topologyKey) {
        OfKey domains = new OfKey();
        for (Node node : view.nodes()) {
            node.labels()
                    .get(topologyKey)
                    .ifPresent(domain ->
                            domains.came(domain, isUsable(node), node.life().readySince()));
        }
        return domains;
    }

    /** {@return whether the node is Ready, schedulable and not about to be removed} */
    private static boolean isUsable(Node node) {
        return node.ready()
                && !node.unschedulable()
                && LeavingNodes.marked(node).isEmpty();
    }

    /** {@return the number of domains tracked} */
    public int size() {
        return byKey.values().stream()
                .mapToInt(domains -> domains.byValue.size())
                .sum();
    }

    /** The domains of one topologyKey. */
    private static final class OfKey {
        private final Map<String, OfDomain> byValue = new HashMap<>();

        /**
         * All domains of the key: first those that are not usable now, then the usable ones, the most recently usable
         * first. Computed on demand; null after a change.
         */
        private @Nullable List<NewDomain> youngestFirst;

        void changed(String key, Optional<Node> before, Optional<Node> after, Instant now) {
            Optional<String> from = before.flatMap(node -> node.labels().get(key));
            Optional<String> to = after.flatMap(node -> node.labels().get(key));
            boolean wasUsable = before.filter(DomainHistory::isUsable).isPresent();
            boolean usable = after.filter(DomainHistory::isUsable).isPresent();
            if (from.equals(to)
                    && wasUsable == usable
                    && !(usable && isAnother(before.orElseThrow(), after.orElseThrow()))) {
                return;
            }
            from.ifPresent(domain -> left(domain, wasUsable));
            to.ifPresent(domain -> came(domain, usable, now));
        }

        void came(String domain, boolean usable, Instant since) {
            OfDomain known = byValue.computeIfAbsent(domain, _ -> new OfDomain());
            known.nodes++;
            if (usable) {
                known.usable++;
                known.since = known.usable == 1 || since.isBefore(known.since) ? since : known.since;
            }
            youngestFirst = null;
        }

        private void left(String domain, boolean usable) {
            OfDomain known = Objects.requireNonNull(byValue.get(domain));
            known.nodes--;
            known.usable -= usable ? 1 : 0;
            if (known.nodes == 0) {
                byValue.remove(domain);
            }
            youngestFirst = null;
        }

        void notBefore(OfKey told) {
            byValue.forEach((domain, known) -> {
                OfDomain other = told.byValue.get(domain);
                known.since = other == null || known.since.isAfter(other.since) ? known.since : other.since;
            });
            youngestFirst = null;
        }

        List<NewDomain> youngestFirst() {
            List<NewDomain> known = youngestFirst;
            if (known == null) {
                known = new ArrayList<>(byValue.size());
                for (Map.Entry<String, OfDomain> one : byValue.entrySet()) {
                    known.add(new NewDomain(one.getKey(), one.getValue().usableSince()));
                }
                known.sort(NewDomain.YOUNGEST_FIRST);
                youngestFirst = known;
            }
            return known;
        }
    }

    /** The number of nodes in one domain, how many of them are usable, and since when at least one is. */
    private static final class OfDomain {
        private int nodes;
        private int usable;

        /** Since when at least one node has been usable; meaningless if no node is usable now. */
        private Instant since = Instant.MIN;

        Optional<Instant> usableSince() {
            return usable == 0 ? Optional.empty() : Optional.of(since);
        }
    }
}

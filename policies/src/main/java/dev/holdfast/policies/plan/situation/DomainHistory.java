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
 * Since when domains could have taken pods: for so long each of them has had, without interruption, a node that is Ready,
 * schedulable and not on its way out. A domain that was without one for a moment is as new as one that was never there
 * before: its pods were moved away meanwhile, and the others were placed without it.
 *
 * <p>Example: zone c fails at 12:00 and is back at 12:20. It could have taken pods since 12:20, so it is new for all pods
 * that were bound before, and for none that is bound after.
 *
 * <p>What was before somebody looked is read off the nodes as they are: since when they are there, and Ready. It may say
 * too little of how long a domain was there, whose first nodes have been replaced since.
 *
 * <p>Owned by one thread, which tells of each change of a node before the view shows it.
 */
public final class DomainHistory {
    private final ClusterView view;
    private final Map<String, OfKey> byKey = new HashMap<>();

    /** The history that the nodes of a view tell of themselves. */
    public DomainHistory(ClusterView view) {
        this.view = view;
    }

    /** Remembers from now on the domains of these topologyKeys, and forgets those of others. */
    public void follow(Collection<String> topologyKeys) {
        byKey.keySet().retainAll(topologyKeys);
        topologyKeys.forEach(this::of);
    }

    /** {@return whether the change of a node can matter to any domain} */
    public static boolean matters(Optional<Node> before, Optional<Node> after) {
        return before.isEmpty()
                || after.isEmpty()
                || isUsable(before.get()) != isUsable(after.get())
                || isAnother(before.get(), after.get())
                || !before.get().labels().equals(after.get().labels());
    }

    /** {@return whether a node ceased to be Ready, or went, and is back without anybody having told of that} */
    private static boolean isAnother(Node before, Node after) {
        return !before.uid().equals(after.uid())
                || after.life().readySince().isAfter(before.life().readySince());
    }

    /** Takes the change of a node. */
    public void changed(Optional<Node> before, Optional<Node> after, Instant now) {
        byKey.forEach((key, domains) -> domains.changed(key, before, after, now));
    }

    /** Believes of each domain only what its nodes tell of themselves: changes may have been missed. */
    public void doubt() {
        byKey.forEach((key, domains) -> domains.notBefore(read(key)));
    }

    /**
     * {@return the domains of a topologyKey that could not have taken pods ever since an instant, those first that cannot
     * now, then the youngest}
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

    /** {@return whether pods may be placed on a node, whatever they ask for} */
    private static boolean isUsable(Node node) {
        return node.ready()
                && !node.unschedulable()
                && LeavingNodes.marked(node).isEmpty();
    }

    /** {@return how much is remembered of domains} */
    public int size() {
        return byKey.values().stream()
                .mapToInt(domains -> domains.byValue.size())
                .sum();
    }

    /** The domains of one topologyKey. */
    private static final class OfKey {
        private final Map<String, OfDomain> byValue = new HashMap<>();

        /** Worked out when it is asked for, and until something changes. */
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

    /** One domain. */
    private static final class OfDomain {
        private int nodes;
        private int usable;

        /** Since when at least one has been usable, where one is. */
        private Instant since = Instant.MIN;

        Optional<Instant> usableSince() {
            return usable == 0 ? Optional.empty() : Optional.of(since);
        }
    }
}

package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.SpreadDomains;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Since when each domain of a spread has had, without interruption, a usable node that is eligible for the spread. */
final class DomainTable {
    private final SpreadDomains spreadDomains;
    private final Predicate<Node> eligible;
    private final Map<String, OfDomain> byValue = new HashMap<>();

    /** Computed on demand. */
    private @Nullable String name;

    /**
     * All domains: first those that are not usable now, then the usable ones, the most recently usable first. Computed
     * on demand; null after a change.
     */
    private @Nullable List<NewDomain> youngestFirst;

    private DomainTable(SpreadDomains spreadDomains) {
        this.spreadDomains = spreadDomains;
        this.eligible = spreadDomains.eligibility().matcher();
    }

    /** The number of eligible nodes in one domain, how many of them are usable, and since when at least one is. */
    private static final class OfDomain {
        private int eligible;
        private int usable;

        /** Since when at least one node has been usable; meaningless if no node is usable now. */
        private Instant since = Instant.MIN;

        NewDomain named(String domain) {
            return new NewDomain(domain, usable == 0 ? Optional.empty() : Optional.of(since), usable, eligible);
        }
    }

    /** {@return the table of these nodes, each usable and eligible since its own times say} */
    static DomainTable of(SpreadDomains spreadDomains, Iterable<Node> nodes, NodeTimes nodeTimes) {
        DomainTable table = new DomainTable(spreadDomains);
        for (Node node : nodes) {
            table.domain(node)
                    .ifPresent(domain -> table.came(
                            domain,
                            NodeTimes.isUsable(node),
                            nodeTimes.eligibleSince(node, spreadDomains.eligibility())));
        }
        return table;
    }

    /** {@return the domains that are usable now, and since when, for the next process of the operator} */
    List<RememberedNodes.Usable> remembered() {
        return byValue.entrySet().stream()
                .filter(one -> one.getValue().usable > 0)
                .map(one -> new RememberedNodes.Usable(name(), one.getKey(), one.getValue().since))
                .sorted(Comparator.comparing(RememberedNodes.Usable::domain))
                .toList();
    }

    /**
     * Takes over since when domains were usable at an instant. That is still true if one node has been usable and eligible
     * since that instant, as then the domain was never without one.
     *
     * @param known since when domains were usable, by their value
     * @param until the instant at which that was true
     */
    void recall(Map<String, Instant> known, Instant until, Iterable<Node> nodes, NodeTimes nodeTimes) {
        for (Node node : nodes) {
            domain(node)
                    .filter(domain -> known.containsKey(domain)
                            && NodeTimes.isUsable(node)
                            && !nodeTimes
                                    .eligibleSince(node, spreadDomains.eligibility())
                                    .isAfter(until))
                    .ifPresent(domain -> Objects.requireNonNull(byValue.get(domain)).since =
                            Objects.requireNonNull(known.get(domain)));
        }
        youngestFirst = null;
    }

    /** {@return a name of the spread that is the same in another process with the same version} */
    String name() {
        String known = name;
        if (known == null) {
            known = UUID.nameUUIDFromBytes(spreadDomains.toString().getBytes(StandardCharsets.UTF_8))
                    .toString();
            name = known;
        }
        return known;
    }

    /** Records a change of a node, which is absent before it is added and after it is removed. */
    void changed(Optional<Node> before, Optional<Node> after, Instant now) {
        Optional<String> from = before.flatMap(this::domain);
        Optional<String> to = after.flatMap(this::domain);
        boolean wasUsable = before.filter(NodeTimes::isUsable).isPresent();
        boolean usable = after.filter(NodeTimes::isUsable).isPresent();
        if (from.equals(to)
                && wasUsable == usable
                && !(usable && NodeTimes.isAnother(before.orElseThrow(), after.orElseThrow()))) {
            return;
        }
        from.ifPresent(domain -> left(domain, wasUsable));
        Instant since = before.flatMap(it -> after.map(node -> NodeTimes.usableSince(it, node, now)))
                .orElse(now);
        to.ifPresent(domain -> came(domain, usable, since));
    }

    /** {@return the domain of a node; empty if the node is not eligible} */
    private Optional<String> domain(Node node) {
        return eligible.test(node) ? node.labels().get(spreadDomains.topologyKey()) : Optional.empty();
    }

    private void came(String domain, boolean usable, Instant since) {
        OfDomain known = byValue.computeIfAbsent(domain, _ -> new OfDomain());
        known.eligible++;
        if (usable) {
            known.usable++;
            known.since = known.usable == 1 || since.isBefore(known.since) ? since : known.since;
        }
        youngestFirst = null;
    }

    private void left(String domain, boolean usable) {
        OfDomain known = Objects.requireNonNull(byValue.get(domain));
        known.eligible--;
        known.usable -= usable ? 1 : 0;
        if (known.eligible == 0) {
            byValue.remove(domain);
        }
        youngestFirst = null;
    }

    /** {@return the domains that were unusable at some time since an instant; see {@link DomainHistory#newerThan}} */
    List<NewDomain> newerThan(Instant instant) {
        List<NewDomain> all = youngestFirst();
        int newer = 0;
        while (newer < all.size() && all.get(newer).isNewerThan(instant)) {
            newer++;
        }
        return all.subList(0, newer);
    }

    private List<NewDomain> youngestFirst() {
        List<NewDomain> known = youngestFirst;
        if (known == null) {
            known = new ArrayList<>(byValue.size());
            for (Map.Entry<String, OfDomain> one : byValue.entrySet()) {
                known.add(one.getValue().named(one.getKey()));
            }
            known.sort(NewDomain.YOUNGEST_FIRST);
            youngestFirst = known;
        }
        return known;
    }

    /** {@return the number of domains} */
    int size() {
        return byValue.size();
    }
}

package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.SpreadDomains;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The times since when each domain of a spread has had, without interruption, a usable and eligible node. */
final class DomainTable {
    private final SpreadDomains spreadDomains;
    private final Predicate<Node> eligible;
    private final Map<String, OfDomain> byValue = new HashMap<>();

    /** The name of the spread, computed on demand. */
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

    /**
     * {@return the table of these nodes, each usable and eligible since its own times say} The time that an earlier
     * process stored for a domain counts if one of its nodes has been usable and eligible since {@code until}: then the
     * domain was never without such a node.
     *
     * @param recalled since when domains were usable, by the name of the spread and the domain
     * @param until the instant at which that was true
     */
    static DomainTable of(
            SpreadDomains spreadDomains,
            Iterable<Node> nodes,
            NodeTimes nodeTimes,
            Map<String, Map<String, Instant>> recalled,
            Instant until) {
        DomainTable table = new DomainTable(spreadDomains);
        Set<String> labelKeys = spreadDomains.eligibility().labelKeys();
        Map<String, Instant> earlier = recalled.isEmpty() ? Map.of() : recalled.getOrDefault(table.name(), Map.of());
        Set<String> neverWithout = new HashSet<>();
        for (Node node : nodes) {
            table.domain(node).ifPresent(domain -> {
                boolean usable = NodeTimes.isUsable(node);
                Instant since = nodeTimes.eligibleSince(node, spreadDomains.eligibility(), labelKeys);
                table.came(domain, usable, since);
                if (usable && !since.isAfter(until) && earlier.containsKey(domain)) {
                    neverWithout.add(domain);
                }
            });
        }
        for (String domain : neverWithout) {
            Objects.requireNonNull(table.byValue.get(domain)).since = Objects.requireNonNull(earlier.get(domain));
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

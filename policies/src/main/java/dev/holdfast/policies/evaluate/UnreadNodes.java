package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The effect of nodes that were not read ({@link ClusterView#unreadNodes}) on rules of pods on other nodes. A verdict
 * counts no pod on such a node, and no domain of it. For the keys in {@link Node#KEPT_KEYS}, the domain of the node is
 * known. For any other key, the node may be in any domain. So a verdict may be wrong:
 *
 * <ul>
 *   <li>An affinity that is violated is satisfied if a partner on such a node is in the domain.
 *   <li>A spread that is violated is satisfied if pods on such nodes are in the domains that have too few pods, or if
 *       these nodes are domains that {@code minDomains} lacks.
 *   <li>An anti-affinity that is violated stays so: a partner more satisfies none.
 * </ul>
 *
 * <p>Example: [3,0] with maxSkew 1. The second domain needs two pods. With one pod on a node that was not read, the
 * spread is violated wherever that node is. With two it may be [3,2]. If the key is the zone and the node is in the
 * first zone, the spread is [3+2,0], and violated in any case.
 */
public final class UnreadNodes {
    /** Why a node is no place for a pod: the scheduler, which reads all nodes, may reject it. */
    public static final String UNSURE = "uncertain because some nodes are not read";

    private UnreadNodes() {}

    /**
     * A node that may satisfy a violated rule.
     *
     * @param pod the pod on it that may be counted; absent if the node itself may be a domain
     * @param more the number of further pods
     */
    public record Doubt(Node node, Optional<Pod> pod, int more) {}

    /** {@return why nothing is known about a node, and what to do: a sentence about it} */
    public static String why(Node node) {
        return "node " + node.name() + " is not read: " + node.tooComplex().orElse("it has more than Holdfast reads")
                + "; remove what the node does not need";
    }

    /** {@return why nothing is known about the nodes that are not read, and what to do; at least one must exist} */
    public static String why(ClusterView view) {
        Collection<Node> unread = view.unreadNodes();
        int more = unread.size() - 1;
        return why(unread.iterator().next()) + (more > 0 ? " (and " + more + " more nodes)" : "");
    }

    /**
     * {@return a node that may satisfy the rule of a bound pod that violates it; empty if the pod violates the rule
     * wherever such nodes are}
     *
     * @param rule the rule, before matchLabelKeys are merged
     */
    public static Optional<Doubt> satisfying(Rule rule, Pod owner, ClusterView view) {
        Optional<Node> node = view.countedNode(owner);
        if (node.isEmpty() || view.unreadNodes().isEmpty()) {
            return Optional.empty();
        }
        return switch (rule.mergedFor(owner.labels())) {
            case Rule.OfNode _, Rule.PodAntiAffinity _ -> Optional.empty();
            case Rule.PodAffinity affinity ->
                hasKeys(node.get(), affinity)
                        ? first(near(node.get(), affinity, partners(affinity, owner, view), view), view)
                        : Optional.empty();
            case Rule.TopologySpread spread -> ofSpread(spread, owner, node.get(), view);
        };
    }

    /** {@return the node that was not read and on which a pod counts; empty if its node was read, or there is none} */
    public static Optional<Node> unreadNode(Pod pod, ClusterView view) {
        return pod.counts() ? pod.nodeName().flatMap(view::unreadNode) : Optional.empty();
    }

    /** {@return whether a node that was not read may be in the domain of a node that was} */
    private static boolean mayShare(String key, Node unread, Node read) {
        return !unread.hasRead(key) || Domain.of(unread, key).equals(Domain.of(read, key));
    }

    /**
     * {@return whether a constraint may count a node: it counts those with the keys of all constraints of the pod
     * (TS-4)}
     */
    private static boolean mayCount(Rule.TopologySpread rule, Node unread) {
        return rule.requiredKeys().stream()
                .allMatch(key -> !unread.hasRead(key) || unread.labels().has(key));
    }

    private static List<Node> mayCount(Rule.TopologySpread rule, ClusterView view) {
        return view.unreadNodes().stream().filter(node -> mayCount(rule, node)).toList();
    }

    /**
     * {@return the number of pods by the value that the label of their nodes has, of which only this label was read}
     */
    private static Map<String, Integer> byValue(List<Pod> pods, String key, ClusterView view) {
        Map<String, Integer> byValue = new HashMap<>();
        pods.forEach(pod -> unreadNode(pod, view)
                .flatMap(node -> node.labels().get(key))
                .ifPresent(value -> byValue.merge(value, 1, Integer::sum)));
        return byValue;
    }

    private static boolean hasKeys(Node node, Rule.PodAffinity rule) {
        return rule.terms().stream().allMatch(term -> node.labels().has(term.topologyKey()));
    }

    private static Optional<Doubt> first(List<Pod> pods, ClusterView view) {
        return pods.stream()
                .min(Comparator.comparing(Pod::name))
                .flatMap(pod -> pod.nodeName()
                        .flatMap(view::unreadNode)
                        .map(node -> new Doubt(node, Optional.of(pod), pods.size() - 1)));
    }

    /** {@return the pods on nodes that were not read that match all terms, or may match them} */
    private static List<Pod> partners(Rule.PodAffinity rule, Pod owner, ClusterView view) {
        List<TermMatcher> terms = new ArrayList<>();
        for (PodAffinityTerm term : rule.terms()) {
            if (!(TermMatcher.of(term, owner.namespace()) instanceof ParseResult.Usable<TermMatcher>(var usable))) {
                return List.of();
            }
            terms.add(usable);
        }
        return terms.isEmpty()
                ? List.of()
                : onUnread(matched(terms.getFirst(), view), owner, view)
                        .filter(pod -> terms.stream().allMatch(term -> term.mayMatch(pod, view)))
                        .toList();
    }

    /** {@return the pods on unread nodes that may share the domain of a given node, for any term} */
    private static List<Pod> near(Node node, Rule.PodAffinity rule, List<Pod> partners, ClusterView view) {
        return partners.stream()
                .filter(pod -> unreadNode(pod, view)
                        .filter(unread ->
                                rule.terms().stream().anyMatch(term -> mayShare(term.topologyKey(), unread, node)))
                        .isPresent())
                .toList();
    }

    private static Stream<Pod> matched(TermMatcher term, ClusterView view) {
        return Stream.concat(stream(term.podsMatchingLabels(view)), term.undecidedPods(view).stream());
    }

    private static Stream<Pod> stream(Iterable<Pod> pods) {
        return StreamSupport.stream(pods.spliterator(), false);
    }

    private static Stream<Pod> onUnread(Stream<Pod> pods, Pod but, ClusterView view) {
        return pods.filter(view::isOnUnreadNode).filter(pod -> !pod.uid().equals(but.uid()));
    }

    private static Optional<Doubt> ofSpread(Rule.TopologySpread rule, Pod owner, Node node, ClusterView view) {
        TopologySpreadConstraint constraint = rule.constraint();
        String key = constraint.topologyKey();
        List<Node> unread = mayCount(rule, view);
        List<Pod> counted = counted(rule, owner, view);
        if (Domain.of(node, key).isEmpty() || (counted.isEmpty() && constraint.minDomains() <= 1)) {
            return Optional.empty();
        }
        Map<String, Integer> known = byValue(counted, key, view);
        int free = counted.size() - known.values().stream().mapToInt(it -> it).sum();
        List<DomainCount> domains = DomainCount.of(rule, owner, view);
        int own = domains.stream()
                .filter(DomainCount::ofPod)
                .mapToInt(DomainCount::pods)
                .sum();
        int lacking = domains.stream()
                .filter(domain -> !domain.ofPod())
                .mapToInt(domain ->
                        Math.max(0, own - constraint.maxSkew() - domain.pods() - known.getOrDefault(domain.value(), 0)))
                .sum();
        return lacking > free || domains.size() + newDomains(domains, unread, key) < constraint.minDomains()
                ? Optional.empty()
                : first(counted, view)
                        .or(() -> unread.stream().findFirst().map(it -> new Doubt(it, Optional.empty(), 0)));
    }

    /** {@return the maximum number of further domains that nodes which were not read may form} */
    private static int newDomains(List<DomainCount> domains, List<Node> unread, String key) {
        Set<String> values = new HashSet<>();
        domains.forEach(domain -> values.add(domain.value()));
        int added = 0;
        for (Node node : unread) {
            added += node.labels().get(key).map(values::add).orElse(true) ? 1 : 0;
        }
        return added;
    }

    /** {@return the pods on nodes that were not read that the constraint counts, or may count} */
    private static List<Pod> counted(Rule.TopologySpread rule, Pod owner, ClusterView view) {
        return LabelMatcher.of(rule.constraint().selectorFor(owner.labels()))
                                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher pods)
                        && !pods.matchesEverything()
                        && !pods.matchesNothing()
                ? onUnread(
                                Stream.concat(
                                        stream(view.podsIn(owner.namespace(), pods)),
                                        stream(view.podsWithUnreadLabels(owner.namespace()))),
                                owner,
                                view)
                        .filter(pod -> !pod.terminating())
                        .filter(pod -> unreadNode(pod, view)
                                .filter(node -> mayCount(rule, node))
                                .isPresent())
                        .toList()
                : List.of();
    }

    /**
     * {@return a check that rejects the nodes on which a pod may break a rule because of pods on nodes that were not
     * read, or because these nodes are domains}
     */
    static NodeRejection rejection(Rule rule, Pod pod, ClusterView view) {
        return view.unreadNodes().isEmpty()
                ? NodeRejection.NONE
                : NodeRejection.prepared(() -> switch (rule.mergedFor(pod.labels())) {
                    case Rule.OfNode _ -> NodeRejection.NONE;
                    case Rule.PodAntiAffinity anti -> ofAntiAffinity(anti, pod, view);
                    case Rule.PodAffinity affinity -> ofFirst(affinity, pod, view);
                    case Rule.TopologySpread spread -> ofSpread(spread, pod, view);
                });
    }

    private static NodeRejection ofAntiAffinity(Rule.PodAntiAffinity rule, Pod pod, ClusterView view) {
        if (!(TermMatcher.of(rule.term(), pod.namespace()) instanceof ParseResult.Usable<TermMatcher>(var term))) {
            return NodeRejection.NONE;
        }
        String key = term.topologyKey();
        List<Pod> sure =
                onUnread(stream(term.podsMatchingLabels(view)), pod, view).toList();
        List<Pod> unsure =
                onUnread(term.undecidedPods(view).stream(), pod, view).toList();
        if (!Node.KEPT_KEYS.contains(key)) {
            return sure.isEmpty() && unsure.isEmpty()
                    ? NodeRejection.NONE
                    : NodeRejection.unless(node -> !node.labels().has(key), UNSURE);
        }
        Set<String> excluded = byValue(sure, key, view).keySet();
        Set<String> mayBeExcluded = byValue(unsure, key, view).keySet();
        return NodeRejection.unless(node -> !isIn(excluded, key, node), Placement.AGAINST_RULES)
                .or(NodeRejection.unless(node -> !isIn(mayBeExcluded, key, node), UNSURE));
    }

    private static boolean isIn(Set<String> values, String key, Node node) {
        return node.labels().get(key).filter(values::contains).isPresent();
    }

    /**
     * Rejects nodes for a pod that seems to be the first of its group, because the others are on unread nodes. A first
     * pod may run anywhere (AF-5). This pod must go to the domains of the others, if these domains are known.
     */
    private static NodeRejection ofFirst(Rule.PodAffinity rule, Pod pod, ClusterView view) {
        List<Pod> partners = partners(rule, pod, view);
        if (partners.isEmpty() || DomainCount.of(rule, pod, view).stream().anyMatch(domain -> domain.pods() > 0)) {
            return NodeRejection.NONE;
        }
        boolean isKnown = rule.terms().stream()
                .allMatch(term -> Node.KEPT_KEYS.contains(term.topologyKey())
                        && TermMatcher.of(term, pod.namespace()) instanceof ParseResult.Usable<TermMatcher>(var usable)
                        && partners.stream().allMatch(partner -> usable.matches(partner, view)));
        if (!isKnown) {
            return NodeRejection.unless(_ -> false, UNSURE);
        }
        Map<String, Set<String>> values = new HashMap<>();
        rule.terms()
                .forEach(term -> values.put(
                        term.topologyKey(),
                        byValue(partners, term.topologyKey(), view).keySet()));
        return values.values().stream().allMatch(Set::isEmpty)
                ? NodeRejection.NONE
                : NodeRejection.unless(
                        node -> values.entrySet().stream()
                                .allMatch(domains -> isIn(domains.getValue(), domains.getKey(), node)),
                        Placement.AGAINST_RULES);
    }

    private static NodeRejection ofSpread(Rule.TopologySpread rule, Pod pod, ClusterView view) {
        TopologySpreadConstraint constraint = rule.constraint();
        String key = constraint.topologyKey();
        List<Node> mayCount = mayCount(rule, view);
        if (mayCount.isEmpty()) {
            return NodeRejection.NONE;
        }
        int self = LabelMatcher.of(constraint.selectorFor(pod.labels()))
                                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher pods)
                        && pods.matches(pod.labels())
                ? 1
                : 0;
        Map<String, Integer> read = new HashMap<>();
        DomainCount.of(rule, pod, view).stream()
                .map(domain -> domain.without(other -> other.uid().equals(pod.uid())))
                .forEach(domain -> read.put(domain.value(), domain.pods()));
        List<Pod> counted = counted(rule, pod, view);
        int most = constraint.maxSkew() - self;
        if (!Node.KEPT_KEYS.contains(key)) {
            // A domain that only nodes have which were not read may have no pod at all.
            return NodeRejection.unless(
                    node -> counted.size() <= most
                            && node.labels()
                                    .get(key)
                                    .filter(value -> read.getOrDefault(value, 0) + counted.size() > most)
                                    .isEmpty(),
                    UNSURE);
        }
        Map<String, Integer> onUnread = byValue(counted, key, view);
        int fewest = fewest(rule, pod, mayCount, read, counted);
        return NodeRejection.unless(
                node -> node.labels()
                        .get(key)
                        .filter(value -> read.getOrDefault(value, 0) + onUnread.getOrDefault(value, 0) - fewest > most)
                        .isEmpty(),
                UNSURE);
    }

    /**
     * {@return the number of pods that the domain with fewest pods has at least, if the domain of each node is known}
     * Whether a node counts is known unless the constraint asks for its other labels or its taints.
     *
     * @param mayCount the nodes that were not read and that the constraint may count
     * @param read the number of pods of each domain, without those on nodes that were not read
     * @param counted the pods on nodes that were not read, of which those with unread labels may not count
     */
    private static int fewest(
            Rule.TopologySpread rule, Pod pod, List<Node> mayCount, Map<String, Integer> read, List<Pod> counted) {
        TopologySpreadConstraint constraint = rule.constraint();
        String key = constraint.topologyKey();
        boolean counts = Node.KEPT_KEYS.containsAll(rule.requiredKeys())
                && constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                && (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE
                        || (pod.scheduling().nodeSelector().isEmpty()
                                && pod.scheduling().nodeAffinity().isEmpty()));
        Map<String, Integer> sureByNode = new HashMap<>();
        counted.stream()
                .filter(it -> !it.labels().areUnread())
                .forEach(it -> it.nodeName().ifPresent(name -> sureByNode.merge(name, 1, Integer::sum)));
        Map<String, Integer> least = new HashMap<>(read);
        for (Node node : mayCount) {
            String value = node.labels().get(key).orElseThrow();
            int onIt = sureByNode.getOrDefault(node.name(), 0);
            if (counts) {
                least.merge(value, onIt, Integer::sum);
            } else if (!read.containsKey(value)) {
                least.merge(value, onIt, Math::min);
            }
        }
        int domains = counts ? least.size() : read.size();
        return domains < constraint.minDomains()
                ? 0
                : least.values().stream().mapToInt(it -> it).min().orElse(0);
    }
}

package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.table.KeyedTable;
import dev.holdfast.policies.index.table.LabelPool;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The pods, nodes and namespaces that the index has received; other packages read them as a {@code ClusterView}. */
public final class ClusterCache implements ClusterView {
    /** The number of labels and characters up to which a node is read, whatever labels other nodes have. */
    private static final int FEW_LABELS = 320;

    private static final int FEW_CHARACTERS = 48 * FEW_LABELS;

    /** About how many bytes the labels of all nodes may take before a node with more labels is read. */
    private static final long MOST_LABEL_BYTES = 64L << 20;

    private static final String TOO_MANY_IN_ALL = String.format(
            Locale.ROOT,
            "it has more than %,d labels, or more than %,d characters in them, and the labels of all nodes take more"
                    + " than %d MiB",
            FEW_LABELS,
            FEW_CHARACTERS,
            MOST_LABEL_BYTES >> 20);

    /** The labels of all pods, each stored once. */
    final LabelPool labelPool = new LabelPool();

    /** The labels of all nodes, each stored once. */
    private final LabelPool nodeLabelPool = new LabelPool();

    private final KeyedTable<String, PodEntry> pods =
            new KeyedTable<>(entry -> entry.pod.uid(), entry -> entry.uidHash);

    /** The result of the last lookup: while the index applies an event, it looks up the same pod repeatedly. */
    private Optional<PodEntry> last = Optional.empty();

    private final Map<String, NodeEntry> nodes = new HashMap<>();
    private final NavigableMap<String, Node> knownNodes = new TreeMap<>();

    /** The nodes that have more than Holdfast reads. */
    private final NavigableMap<String, Node> unreadNodes = new TreeMap<>();

    private final Map<String, NamespaceEntry> namespaces = new LinkedHashMap<>();

    /** The namespaces with labels that were not read, of their own or of their pods, so that no search tests all. */
    private final Set<NamespaceEntry> withUnread = new LinkedHashSet<>();

    public boolean isEmpty() {
        return pods.size() == 0
                && nodes.isEmpty()
                && knownNodes.isEmpty()
                && unreadNodes.isEmpty()
                && namespaces.isEmpty()
                && withUnread.isEmpty()
                && labelPool.isEmpty()
                && nodeLabelPool.isEmpty();
    }

    public Optional<PodEntry> entry(String uid) {
        if (last.isEmpty() || !last.get().pod.uid().equals(uid)) {
            last = Optional.ofNullable(pods.get(uid));
        }
        return last;
    }

    public Optional<PodEntry> entryAt(int place) {
        return pods.at(place);
    }

    /** {@return all pods, in no particular order} */
    public Iterable<PodEntry> entries() {
        return pods;
    }

    void add(PodEntry pod) {
        pods.add(pod);
    }

    void remove(PodEntry pod) {
        last = Optional.empty();
        pods.remove(pod.pod.uid());
    }

    /** {@return the pods that are bound to a node, in no particular order} */
    public Iterable<PodEntry> entriesOn(String node) {
        return nodeEntry(node).pods;
    }

    NodeEntry nodeEntry(String name) {
        return nodes.computeIfAbsent(name, NodeEntry::new);
    }

    NamespaceEntry namespaceEntry(String name) {
        NamespaceEntry known = namespaces.get(name);
        return known == null ? namespaces.computeIfAbsent(name, it -> new NamespaceEntry(it, withUnread)) : known;
    }

    Optional<NamespaceEntry> namespaceEntryIfUsed(String name) {
        return Optional.ofNullable(namespaces.get(name));
    }

    Collection<NamespaceEntry> namespaceEntries() {
        return Collections.unmodifiableCollection(namespaces.values());
    }

    /** {@return the namespaces whose pods a policy can select: all namespaces for a cluster policy, else its own} */
    Collection<NamespaceEntry> namespaceEntriesOf(PolicyId policy) {
        return policy.namespace()
                .<Collection<NamespaceEntry>>map(
                        name -> namespaceEntryIfUsed(name).stream().toList())
                .orElseGet(this::namespaceEntries);
    }

    void is(String name, Optional<Node> node) {
        NodeEntry entry = nodeEntry(name);
        Optional<Labels> before = entry.node().map(Node::labels);
        if (before.equals(node.map(Node::labels))) {
            entry.is(node.map(it -> it.withLabels(before.orElseThrow())));
        } else {
            entry.is(node.map(it -> it.withLabels(nodeLabelPool.acquire(it.labels()))));
            before.ifPresent(nodeLabelPool::release);
        }
        entry.node().ifPresentOrElse(it -> knownNodes.put(name, it), () -> knownNodes.remove(name));
        dropIfUnused(name, entry);
    }

    /** {@return the event; if the labels of a node would take too much memory, the event of a node that is not read} */
    public ClusterEvent readable(ClusterEvent event) {
        return event instanceof ClusterEvent.NodeChanged(Node node)
                        && hasMany(node.labels())
                        && node(node.name())
                                .filter(it -> it.labels().equals(node.labels()))
                                .isEmpty()
                        && nodeLabelPool.bytesWith(node.labels()) > MOST_LABEL_BYTES
                ? new ClusterEvent.NodeUnread(node.unread(TOO_MANY_IN_ALL))
                : event;
    }

    private static boolean hasMany(Labels labels) {
        int characters = 0;
        for (int i = 0; i < labels.size(); i++) {
            characters += labels.key(i).length() + labels.value(i).length();
        }
        return labels.size() > FEW_LABELS || characters > FEW_CHARACTERS;
    }

    void isUnread(String name, Optional<Node> node) {
        node.ifPresentOrElse(it -> unreadNodes.put(name, it), () -> unreadNodes.remove(name));
    }

    void dropIfUnused(String name, NodeEntry node) {
        if (node.isUnused()) {
            nodes.remove(name);
        }
    }

    void dropIfUnused(NamespaceEntry namespace) {
        if (namespace.isUnused()) {
            namespaces.remove(namespace.name);
        }
    }

    @Override
    public Optional<Node> node(String name) {
        NodeEntry entry = nodes.get(name);
        return entry == null ? Optional.empty() : entry.node();
    }

    @Override
    public Collection<Node> nodes() {
        return Collections.unmodifiableCollection(knownNodes.values());
    }

    @Override
    public Optional<Node> unreadNode(String name) {
        return Optional.ofNullable(unreadNodes.get(name));
    }

    @Override
    public Collection<Node> unreadNodes() {
        return Collections.unmodifiableCollection(unreadNodes.values());
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        return namespaceEntryIfUsed(name).flatMap(NamespaceEntry::namespace);
    }

    @Override
    public Collection<Namespace> namespaces() {
        return namespaces.values().stream()
                .flatMap(entry -> entry.namespace().stream())
                .toList();
    }

    @Override
    public Optional<Pod> pod(String uid) {
        return entry(uid).map(entry -> entry.pod);
    }

    @Override
    public Collection<Pod> pods() {
        return new PodsView(List.of(pods));
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return namespaceEntryIfUsed(namespace)
                .<Collection<Pod>>map(entry -> new PodsView(entry.labelVariants().stream()
                        .map(labelVariant -> labelVariant.pods)
                        .toList()))
                .orElse(List.of());
    }

    @Override
    public Iterable<Pod> podsWith(Predicate<Labels> labels) {
        List<PodList> found = new ArrayList<>();
        namespaces.values().forEach(entry -> find(entry, labels, found));
        return new PodsView(found);
    }

    @Override
    public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        List<PodList> found = new ArrayList<>();
        namespaceEntryIfUsed(namespace).ifPresent(entry -> find(entry, labels, found));
        return new PodsView(found);
    }

    @Override
    public Iterable<Pod> podsWithUnreadLabels() {
        return new PodsView(withUnread.stream()
                .flatMap(entry -> entry.unreadVariants().stream())
                .map(labelVariant -> labelVariant.pods)
                .toList());
    }

    @Override
    public List<Namespace> namespacesWithUnreadLabels() {
        return withUnread.stream()
                .filter(NamespaceEntry::hasUnreadLabels)
                .flatMap(entry -> entry.namespace().stream())
                .toList();
    }

    @Override
    public Iterable<Pod> podsWithUnreadLabels(String namespace) {
        return new PodsView(namespaceEntryIfUsed(namespace).stream()
                .flatMap(entry -> entry.unreadVariants().stream())
                .map(labelVariant -> labelVariant.pods)
                .toList());
    }

    private static void find(NamespaceEntry namespace, Predicate<Labels> labels, List<PodList> found) {
        for (LabelVariant labelVariant : namespace.labelVariants()) {
            if (labels.test(labelVariant.labels)) {
                found.add(labelVariant.pods);
            }
        }
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        NodeEntry entry = nodes.get(node);
        return entry == null ? List.of() : new PodsView(List.of(entry.pods));
    }

    /**
     * {@return an empty result: the index stores no owner objects (such as ReplicaSets), because no verdict depends on
     * them}
     */
    @Override
    public Optional<Owner> owner(String namespace, String uid) {
        return Optional.empty();
    }

    /** {@return an empty result, for the same reason as {@link #owner}} */
    @Override
    public Collection<Owner> ownersIn(String namespace) {
        return List.of();
    }

    /** {@return an empty result: no verdict depends on CSI drivers} */
    @Override
    public Optional<CsiNode> csiNode(String node) {
        return Optional.empty();
    }

    /** {@return none: no verdict depends on quotas} */
    @Override
    public Collection<ResourceQuota> quotasIn(String namespace) {
        return List.of();
    }

    /** {@return none: no verdict depends on LimitRanges} */
    @Override
    public Collection<LimitRange> limitRangesIn(String namespace) {
        return List.of();
    }
}

package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.NodeFailures;
import dev.holdfast.operator.offline.simulate.object.Zones;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Cordons, drains and removes nodes, and lets them fail, as many at once as a user names. */
final class NodeChanges {
    private final ClusterView cluster;
    private final Changes changes;
    private final NodeFailures failures;

    NodeChanges(ClusterView cluster, Changes changes, NodeFailures failures) {
        this.cluster = cluster;
        this.changes = changes;
        this.failures = failures;
    }

    /** Changes all nodes of all targets. Returns why that is impossible: there is no node of one target. */
    Optional<String> make(Change.ChangeNodes change) {
        SequencedSet<String> names = new TreeSet<>();
        for (Change.Target target : change.targets()) {
            List<String> named = names(target, change.action());
            if (named.isEmpty()) {
                return changes.noNode(target.text()).map(why -> why + zones(target));
            }
            names.addAll(named);
        }
        switch (change.action()) {
            case CORDON -> names.forEach(changes::cordon);
            case DRAIN -> {
                names.forEach(changes::cordon);
                names.forEach(changes::evictAll);
            }
            case FAIL -> names.forEach(failures::fail);
            case REMOVE -> names.forEach(this::remove);
        }
        return Optional.empty();
    }

    /** {@return the zones that there are, for a message about one that has no node} */
    private String zones(Change.Target target) {
        if (!(target.nodes() instanceof Change.Selection.InZone)) {
            return "";
        }
        List<String> zones = Zones.of(cluster);
        return zones.isEmpty()
                ? ": no node has the label " + Zones.KEY
                : ": the nodes' label " + Zones.KEY + " is " + String.join(" or ", zones);
    }

    /** {@return the nodes of a target by name} Those that are not read can only fail and be removed. */
    private List<String> names(Change.Target target, Change.Action action) {
        Stream<Node> unread = switch (action) {
            case FAIL, REMOVE -> unread(target.nodes());
            case CORDON, DRAIN -> Stream.empty();
        };
        return Stream.concat(changes.selected(target.nodes()).stream(), unread)
                .map(Node::name)
                .toList();
    }

    /** {@return the nodes of a selection of which only name, zone and region are read} */
    private Stream<Node> unread(Change.Selection nodes) {
        return switch (nodes) {
            case Change.Selection.Named(String name) -> cluster.unreadNode(name).stream();
            case Change.Selection.InZone(String zone) ->
                cluster.unreadNodes().stream().filter(node -> node.labels().has(Zones.KEY, zone));
            case Change.Selection.Labeled _ -> Stream.empty();
        };
    }

    Optional<String> remove(String node) {
        failures.removed(node);
        return changes.removeNode(node);
    }

    /** {@return why a change would change nothing of some of its targets, as sentences} */
    List<String> idle(Change.ChangeNodes change) {
        List<String> idle = new ArrayList<>();
        for (Change.Target target : change.targets()) {
            List<Node> nodes = changes.selected(target.nodes());
            if (!nodes.isEmpty() && nodes.stream().allMatch(node -> isSo(node, change.action()))) {
                idle.add((target.nodes() instanceof Change.Selection.Named ? "node " : "each node ") + target.text()
                        + " is " + state(change.action()));
            }
        }
        return idle;
    }

    private boolean isSo(Node node, Change.Action action) {
        return switch (action) {
            case CORDON -> node.unschedulable();
            case DRAIN ->
                node.unschedulable() && cluster.podsOn(node.name()).stream().noneMatch(Changes::isDrained);
            case FAIL -> !node.ready();
            case REMOVE -> false;
        };
    }

    private static String state(Change.Action action) {
        return switch (action) {
            case CORDON -> "cordoned already";
            case DRAIN -> "cordoned already and has no pod to evict";
            case FAIL -> "not Ready already";
            case REMOVE -> "gone already";
        };
    }
}

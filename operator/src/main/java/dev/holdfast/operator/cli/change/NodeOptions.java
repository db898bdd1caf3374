package dev.holdfast.operator.cli.change;

import dev.holdfast.operator.offline.simulate.Change;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say which nodes change, by name or by a selector. */
public final class NodeOptions {
    private static final String NODES = "NODE | -l SELECTOR";

    @Option(
            names = "--cordon",
            paramLabel = NODES,
            parameterConsumer = NodeTargets.class,
            description = "Let nodes take no new pods. A node is NODE or node/NODE, as for kubectl, and -l SELECTOR"
                    + " right after the option means all nodes with these labels: --cordon -l zone=c. The option may"
                    + " be given several times.")
    private List<Change.Target> cordons = new ArrayList<>();

    @Option(
            names = "--drain",
            paramLabel = NODES,
            parameterConsumer = NodeTargets.class,
            description = "Cordon nodes, all of them first, and evict their pods as their disruption budgets allow.")
    private List<Change.Target> drains = new ArrayList<>();

    @Option(
            names = "--fail-node",
            paramLabel = NODES,
            parameterConsumer = NodeTargets.class,
            description = "Let nodes fail: they and their pods are not Ready, and get the taint"
                    + " node.kubernetes.io/unreachable. Pods are deleted when their tolerationSeconds are over, after"
                    + " five minutes by default.")
    private List<Change.Target> failures = new ArrayList<>();

    @Option(
            names = "--fail-zone",
            paramLabel = "ZONE",
            description = "Let all nodes fail whose label topology.kubernetes.io/zone is ZONE, as --fail-node does.")
    private List<String> failedZones = new ArrayList<>();

    @Option(
            names = "--remove-node",
            paramLabel = NODES,
            parameterConsumer = NodeTargets.class,
            description = "Remove nodes and their pods.")
    private List<Change.Target> removals = new ArrayList<>();

    /** {@return the changes that go before the deletion of pods} */
    public List<Change> changes() {
        List<Change.Target> failed = new ArrayList<>(failures);
        failedZones.forEach(
                zone -> failed.add(new Change.Target("in zone " + zone, new Change.Selection.InZone(zone))));
        List<Change> changes = new ArrayList<>();
        add(Change.Action.CORDON, cordons, changes);
        add(Change.Action.DRAIN, drains, changes);
        add(Change.Action.FAIL, failed, changes);
        return changes;
    }

    /** {@return the changes that go after the deletion of pods} */
    public List<Change> removals() {
        List<Change> changes = new ArrayList<>();
        add(Change.Action.REMOVE, removals, changes);
        return changes;
    }

    private static void add(Change.Action action, List<Change.Target> targets, List<Change> changes) {
        if (!targets.isEmpty()) {
            changes.add(new Change.ChangeNodes(action, targets));
        }
    }
}

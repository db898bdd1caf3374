package dev.holdfast.operator.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.cli.options.Reading;
import dev.holdfast.operator.offline.dump.AsWritten;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.manifest.AppliedWorkloads;
import dev.holdfast.operator.offline.manifest.FileChanges;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what changes in a cluster. */
public final class ChangeOptions {
    private static final String POLICY = "POLICY | -l SELECTOR";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = "--label",
            paramLabel = "NODES LABELS",
            parameterConsumer = LabelChanges.class,
            description =
                    "Change labels of nodes, as kubectl label does: --label node/n1 zone=b, or --label -l pool=gpu"
                            + " disk-.")
    private List<Change.LabelNodes> labels = new ArrayList<>();

    @Mixin
    private final NodeOptions nodes = new NodeOptions();

    @Option(
            names = "--add-node",
            paramLabel = "FILE",
            description = "Add the nodes of a file, and all other objects in it.")
    private List<String> addedNodes = new ArrayList<>();

    @Option(
            names = "--delete",
            paramLabel = "pod/NAME | -l SELECTOR",
            parameterConsumer = PodDeletions.class,
            description = "Delete pods of the namespace of -n: one, or all with these labels.")
    private List<Function<String, Change>> deletions = new ArrayList<>();

    @Option(
            names = "--scale",
            paramLabel = "KIND/NAME=N | [KIND] -l SELECTOR N",
            parameterConsumer = WorkloadScales.class,
            description = "Scale workloads of the namespace of -n: one (deploy/web=3, rs/web=3, sts/db=3), or all that"
                    + " have pods with these labels (-l app=web 3; deploy -l app=web 3).")
    private List<WorkloadScales.Scaling> scales = new ArrayList<>();

    @Option(
            names = "--apply",
            paramLabel = "FILE",
            description =
                    "Create or replace the policies and all other objects of a file. Violations of a new policy that"
                            + " exist already begin when the policy is applied. A Deployment or StatefulSet of the"
                            + " input with another pod template is rolled out.")
    private List<String> applied = new ArrayList<>();

    @Option(
            names = "--enforce",
            paramLabel = POLICY,
            parameterConsumer = PolicyTargets.class,
            description = "Set the mode of policies to Enforce: NAMESPACE/NAME of a PlacementPolicy, NAME of a"
                    + " ClusterPlacementPolicy, or all with these labels.")
    private List<PolicyTargets.Names> enforced = new ArrayList<>();

    @Option(
            names = "--acknowledge",
            paramLabel = POLICY,
            parameterConsumer = PolicyTargets.class,
            description = "Acknowledge the backlog that the other changes begin for policies, so that their pods are"
                    + " not held as PolicyBacklog.")
    private List<PolicyTargets.Names> acknowledged = new ArrayList<>();

    /** The files of --add-node and --apply. */
    private final List<DumpFile> appliedFiles = new ArrayList<>();

    private AppliedWorkloads workloads = AppliedWorkloads.NONE;

    /** Finds the files of an argument. */
    @FunctionalInterface
    public interface Files {
        /** {@return the files that the argument names} */
        Collection<DumpFile> of(String argument) throws DumpException;
    }

    /** Reads which workloads the files have, before the cluster is read. Returns where it puts these workloads. */
    public AsWritten applied(Files files) throws DumpException {
        appliedFiles.clear();
        for (String argument :
                Stream.concat(addedNodes.stream(), applied.stream()).toList()) {
            files.of(argument).forEach(file -> appliedFiles.add(file.repeatable()));
        }
        workloads = AppliedWorkloads.in(appliedFiles);
        return workloads.present();
    }

    /**
     * {@return the changes, in this order: new objects and policies first, then nodes, acknowledgements last}
     *
     * @param warnings gets what may be wrong with the files, as sentences
     */
    public List<Change> changes(
            ReadCluster cluster, DumpedPolicies policies, String namespace, Consumer<String> warnings)
            throws DumpException {
        List<Change> changes = new ArrayList<>();
        List<String> files =
                Stream.concat(addedNodes.stream(), applied.stream()).toList();
        List<ObjectNode> known = new ArrayList<>(cluster.policyObjects());
        if (!files.isEmpty()) {
            Dump dump = new DumpReader(_ -> {}).read(workloads.withClasses(appliedFiles));
            if (!addedNodes.isEmpty() && dump.count("Node") == 0) {
                throw new DumpException("--add-node " + String.join(" ", addedNodes) + ": there is no Node");
            }
            dump.warnings().forEach(warnings);
            if (!addedNodes.isEmpty()) {
                Set<String> present = nodes(cluster.dump());
                nodes(dump).stream()
                        .filter(present::contains)
                        .forEach(node -> warnings.accept(
                                "node " + node + " is in the input already: --add-node applies its file"));
            }
            AppliedWorkloads.Played played = workloads.in(cluster.dump().objects());
            played.warnings().forEach(warnings);
            AppliedWorkloads.withoutEffect(dump)
                    .forEach((kind, count) ->
                            warnings.accept(Count.of(count, "object") + " of kind " + kind + " has no effect"));
            changes.addAll(Reading.of(
                    addedNodes.isEmpty() ? "--apply" : "--add-node, --apply",
                    files,
                    () -> FileChanges.apply(played.without(dump), policies)));
            changes.addAll(played.changes());
            known.addAll(dump.policies());
        }
        for (PolicyTargets.Names names : enforced) {
            for (String policy : names.in(known)) {
                changes.add(FileChanges.enforce(policy, known, policies));
            }
        }
        changes.addAll(labels);
        for (WorkloadScales.Scaling scale : scales) {
            changes.addAll(scale.in(cluster.dump().objects(), namespace, warnings));
        }
        changes.addAll(nodes.changes());
        deletions.forEach(deletion -> changes.add(deletion.apply(namespace)));
        changes.addAll(nodes.removals());
        for (PolicyTargets.Names names : acknowledged) {
            names.in(known).forEach(policy -> changes.add(new Change.Acknowledge(FileChanges.policy(policy))));
        }
        if (changes.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "give at least one change, for example --cordon NODE");
        }
        return changes;
    }

    private static Set<String> nodes(Dump dump) {
        return dump.objects().stream()
                .flatMap(object -> switch (object) {
                    case ClusterEvent.NodeChanged(Node node) -> Stream.of(node.name());
                    case ClusterEvent.NodeUnread(Node node) -> Stream.of(node.name());
                    case ClusterEvent.NodeGone _,
                            ClusterEvent.OfPod _,
                            ClusterEvent.OfNamespace _,
                            ClusterEvent.OfOwner _,
                            ClusterEvent.OfBudget _,
                            ClusterEvent.OfCapacity _ -> Stream.empty();
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

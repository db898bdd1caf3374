package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds whole kinds of objects that a dump does not have, without which an answer would only look complete. */
public final class DumpCompleteness {
    /** The kinds that a plan reads in every cluster, with their names for kubectl. */
    private static final Map<String, String> OF_PLANS =
            Map.of("PodDisruptionBudget", "pdb", "ResourceQuota", "quota", "LimitRange", "limits");

    /** The kinds of controllers that a plan reads, with their names for kubectl. */
    private static final Map<String, String> CONTROLLERS =
            Map.of("Deployment", "deploy", "ReplicaSet", "rs", "StatefulSet", "sts", "Job", "jobs");

    /** The kinds that a plan reads for pods with claims, with their names for kubectl. */
    private static final Map<String, String> VOLUMES =
            Map.of("PersistentVolumeClaim", "pvc", "PersistentVolume", "pv", "CSINode", "csinodes");

    private final Dump dump;
    private final Set<String> namespaces = new HashSet<>();
    private final Set<String> nodes = new HashSet<>();
    private boolean hasBoundPods;
    private int onMissingNodes;
    private Optional<Pod> firstOnMissingNode = Optional.empty();
    private Optional<String> missingNamespace = Optional.empty();

    public DumpCompleteness(Dump dump) {
        this.dump = dump;
        for (ClusterEvent object : dump.objects()) {
            switch (object) {
                case ClusterEvent.NamespaceChanged(Namespace namespace) -> namespaces.add(namespace.name());
                case ClusterEvent.NodeChanged(Node node) -> nodes.add(node.name());
                case ClusterEvent.NodeUnread(Node node) -> nodes.add(node.name());
                case ClusterEvent.NodeGone _,
                        ClusterEvent.NamespaceGone _,
                        ClusterEvent.OfPod _,
                        ClusterEvent.OfOwner _,
                        ClusterEvent.OfBudget _,
                        ClusterEvent.OfCapacity _ -> {}
            }
        }
        for (ClusterEvent object : dump.objects()) {
            if (object instanceof ClusterEvent.PodChanged(Pod pod)) {
                see(pod);
            }
        }
    }

    private void see(Pod pod) {
        hasBoundPods |= pod.nodeName().isPresent();
        if (pod.counts() && !nodes.contains(pod.nodeName().orElseThrow())) {
            onMissingNodes++;
            firstOnMissingNode = firstOnMissingNode.or(() -> Optional.of(pod));
        }
        if (!namespaces.contains(pod.namespace())) {
            missingNamespace = missingNamespace
                    .filter(other -> other.compareTo(pod.namespace()) < 0)
                    .or(() -> Optional.of(pod.namespace()));
        }
    }

    /**
     * {@return which objects a plan would read and are not in the dump, as one sentence; empty if none is missing} Some
     * clusters have no such object, so the sentence says what is assumed.
     *
     * @param added objects that a change adds to those of the dump
     */
    public Optional<String> missingForPlans(Collection<ClusterEvent> added) {
        SortedMap<String, String> missing = new TreeMap<>();
        Map<String, String> kinds = new HashMap<>(OF_PLANS);
        if (pods().anyMatch(pod -> !pod.podRequirements().claims().isEmpty())) {
            kinds.putAll(VOLUMES);
        }
        kinds.forEach((kind, argument) -> {
            if (dump.count(kind) == 0 && !isAdded(kind, added)) {
                missing.put(kind + "s", argument);
            }
        });
        missingControllers()
                .forEach((kind, pods) -> missing.put(
                        kind + "s of " + Count.of(pods.size(), "pod") + ", for example of " + pods.first(),
                        CONTROLLERS.getOrDefault(kind, kind)));
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the input lacks " + String.join("; ", missing.keySet())
                        + ": this answer takes that as if there were none; add `" + String.join(",", missing.values())
                        + "` to kubectl get");
    }

    private static boolean isAdded(String kind, Collection<ClusterEvent> added) {
        return added.stream().anyMatch(object -> switch (object) {
            case ClusterEvent.BudgetChanged _ -> kind.equals("PodDisruptionBudget");
            case ClusterEvent.QuotaChanged _ -> kind.equals("ResourceQuota");
            case ClusterEvent.LimitRangeChanged _ -> kind.equals("LimitRange");
            case ClusterEvent.BudgetGone _,
                    ClusterEvent.QuotaGone _,
                    ClusterEvent.LimitRangeGone _,
                    ClusterEvent.CsiNodeChanged _,
                    ClusterEvent.CsiNodeGone _,
                    ClusterEvent.OfPod _,
                    ClusterEvent.OfNode _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfOwner _ -> false;
        });
    }

    /** {@return which pods have an annotation with invalid rules, as one sentence; empty if none has} */
    public Optional<String> invalidAnnotations() {
        SortedMap<String, String> problems = new TreeMap<>();
        pods().forEach(pod -> {
            if (pod.scheduling().annotationRules() instanceof AnnotationRules.Refused(String problem)) {
                problems.put(pod.name().toString(), problem);
            }
        });
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of("the annotation " + AnnotationRules.ANNOTATION + " of "
                        + Count.of(problems.size(), "pod") + " is invalid and ignored, of "
                        + problems.firstKey() + " because "
                        + problems.firstEntry().getValue());
    }

    private Stream<Pod> pods() {
        return dump.objects().stream()
                .flatMap(object -> object instanceof ClusterEvent.PodChanged(Pod pod) ? Stream.of(pod) : Stream.empty())
                .filter(pod -> !pod.finished());
    }

    /**
     * {@return the pods whose controller, or its own controller, is not in the dump, by the kind of the missing one}
     */
    private SortedMap<String, SortedSet<String>> missingControllers() {
        Map<String, Owner> owners = new HashMap<>();
        dump.objects().forEach(object -> {
            if (object instanceof ClusterEvent.OwnerChanged(Owner owner)) {
                owners.put(owner.uid(), owner);
            }
        });
        SortedMap<String, SortedSet<String>> missing = new TreeMap<>();
        pods().forEach(pod -> {
            Optional<Controller> controller = pod.victimProtection().controller();
            Optional<Owner> direct = controller.map(Controller::uid).map(owners::get);
            Optional<Controller> unread = direct.isPresent()
                    ? direct.flatMap(Owner::controller).filter(above -> !owners.containsKey(above.uid()))
                    : controller;
            unread.map(Controller::kind)
                    .filter(CONTROLLERS::containsKey)
                    .ifPresent(kind -> missing.computeIfAbsent(kind, _ -> new TreeSet<>())
                            .add(pod.name().toString()));
        });
        return missing;
    }

    /**
     * Requires the kinds without which there is no verdict.
     *
     * @param mayBeEmpty whether the cluster may have no pods and no nodes
     * @return which verdicts cannot be given, as sentences
     * @throws DumpException if no verdict, or not every policy, can be checked
     */
    public List<String> require(Collection<Policy> policies, boolean mayBeEmpty) throws DumpException {
        if (dump.count("Pod") == 0 && !mayBeEmpty) {
            throw new DumpException("the input has no pods: add `pods` to kubectl get");
        }
        if (dump.count("Node") == 0 && (hasBoundPods || !mayBeEmpty)) {
            throw new DumpException(
                    "the input has no nodes, so there is no verdict on any pod: add `nodes` to kubectl get");
        }
        Optional<Policy> selecting = policies.stream()
                .filter(policy -> policy.namespaces().isPresent())
                .min(Comparator.comparing(Policy::id));
        if (missingNamespace.isPresent() && selecting.isPresent()) {
            throw new DumpException(selecting.get().id() + " selects namespaces by labels, and namespace "
                    + missingNamespace.get() + " is not in the input: add `namespaces` to kubectl get");
        }
        List<String> warnings = new ArrayList<>();
        if (namespaces.isEmpty()) {
            warnings.add(
                    "the input has no namespaces, so there is no verdict on rules that select namespaces by labels:"
                            + " add `namespaces` to kubectl get");
        }
        firstOnMissingNode.ifPresent(pod -> warnings.add(onMissingNodes
                + (onMissingNodes == 1 ? " pod is on a node that is" : " pods are on nodes that are")
                + " not in the input, for example " + pod.name() + " on "
                + pod.nodeName().orElseThrow() + ": no rule of another pod counts them"));
        return warnings;
    }
}

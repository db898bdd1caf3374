package dev.holdfast.operator.offline.dump.admission;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A pod that no API server has stored.
 *
 * @param priorityClass the name of its PriorityClass; empty if it names none
 * @param hasPriority whether its priority is written as a number
 * @param runtimeClass the name of its RuntimeClass; empty if it names none
 * @param hasOverhead whether its overhead is written
 */
record WrittenPod(String priorityClass, boolean hasPriority, String runtimeClass, boolean hasOverhead) {
    /** The classes that new pods may name. */
    record Classes(PriorityClasses priorities, RuntimeClasses runtimes) {}

    private static final String NO_EXECUTE = "NoExecute";

    /** The taints that a new pod tolerates for some minutes. Source: the admission plugin DefaultTolerationSeconds. */
    private static final List<String> TOLERATED =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    /** How many seconds a pod tolerates these taints if its spec does not say. */
    private static final OptionalLong TOLERATED_SECONDS = OptionalLong.of(300);

    static WrittenPod of(ByteSlice pod) throws MalformedException {
        String priorityClass = "";
        boolean hasPriority = false;
        String runtimeClass = "";
        boolean hasOverhead = false;
        ProtoReader reader = new ProtoReader();
        reader.open(pod);
        while (reader.next()) {
            if (reader.field() != Fields.Pod.SPEC) {
                reader.skip();
                continue;
            }
            int outer = reader.enter();
            while (reader.next()) {
                hasPriority |= reader.field() == Fields.PodSpec.PRIORITY;
                hasOverhead |= reader.field() == Fields.PodSpec.OVERHEAD;
                switch (reader.field()) {
                    case Fields.PodSpec.PRIORITY_CLASS_NAME -> priorityClass = reader.string();
                    case Fields.PodSpec.RUNTIME_CLASS_NAME -> runtimeClass = reader.string();
                    default -> reader.skip();
                }
            }
            reader.leave(outer);
        }
        return new WrittenPod(priorityClass, hasPriority, runtimeClass, hasOverhead);
    }

    /** {@return the name of the class that says the priority of the pod; empty if the class is known} */
    Optional<String> unknownClass(PriorityClasses classes) {
        return Optional.of(priorityClass)
                .filter(name -> !hasPriority && !name.isEmpty())
                .filter(name -> !classes.has(name));
    }

    /**
     * {@return the pod as the API server stores it}
     *
     * @param limitRanges those of its namespace
     * @param node the node that the pod names, if it is known
     */
    Pod admitted(Pod pod, Classes classes, List<LimitRange> limitRanges, Optional<Node> node) {
        Labels labels = node.map(it -> ofNode(pod.labels(), it.labels()))
                .filter(_ -> !pod.labels().areUnread())
                .orElse(pod.labels());
        Pod stored = PodAdmission.stored(pod, limitRanges);
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion(),
                labels,
                pod.nodeName(),
                scheduling(pod.scheduling(), labels, classes.runtimes()),
                withOverhead(asCreated(stored), classes.runtimes()),
                pending(pod.life()),
                hasPriority
                        ? pod.victimProtection()
                        : with(pod.victimProtection(), classes.priorities().of(priorityClass)));
    }

    /** {@return the labels of a pod with those that it gets from its node} Source: the plugin PodTopologyLabels. */
    private static Labels ofNode(Labels pod, Labels node) {
        Map<String, String> pairs = new HashMap<>(pod.nodePairs().toMap());
        pairs.putAll(node.nodePairs().toMap());
        return pod.withNodePairsOf(Labels.of(pairs));
    }

    /** {@return the life of a pod that is Pending if its status does not say more} */
    private static PodLifecycle pending(PodLifecycle life) {
        return life.phase() == Phase.UNKNOWN
                ? new PodLifecycle(
                        Phase.PENDING,
                        life.ready(),
                        life.creationTime(),
                        life.boundTime(),
                        life.deletionTime(),
                        life.beingDisrupted())
                : life;
    }

    /** {@return the requirements of a pod that was never changed since its creation, as the decoder notes them} */
    private static PodRequirements asCreated(Pod pod) {
        PodRequirements requirements = pod.podRequirements();
        boolean ofReplicaSet = pod.victimProtection()
                .controller()
                .filter(controller -> controller.kind().equals("ReplicaSet"))
                .isPresent();
        return requirements.nextRequests() == NextRequests.TEMPLATE_IF_KNOWN
                ? requirements.with(ofReplicaSet ? NextRequests.LARGER : NextRequests.SAME)
                : requirements;
    }

    /**
     * {@return the constraints with merged matchLabelKeys, and with tolerations of nodes that are not Ready} The
     * constraints of a pod of which Holdfast reads only a part stay as they are.
     */
    private Scheduling scheduling(Scheduling written, Labels labels, RuntimeClasses classes) {
        if (written.tooComplex().isPresent() || !written.own().equals(written)) {
            return written;
        }
        Scheduling merged = written.storedFor(labels);
        Scheduling ofPod = new Scheduling(
                        merged.nodeSelector(),
                        merged.nodeAffinity(),
                        merged.podAffinity(),
                        merged.podAntiAffinity(),
                        merged.topologySpread().stream()
                                .map(spread -> merged(spread, labels))
                                .toList(),
                        tolerations(merged.tolerations()))
                .withPreferences(merged(merged.preferences(), labels))
                .withAnnotationRules(written.annotationRules());
        return classes.scheduling(ofPod, runtimeClass);
    }

    private PodRequirements withOverhead(PodRequirements pod, RuntimeClasses classes) {
        return hasOverhead
                ? pod
                : new PodRequirements(
                        classes.withOverhead(pod.requests(), runtimeClass),
                        classes.withOverhead(pod.reserved(), runtimeClass),
                        pod.hostPorts(),
                        pod.claims(),
                        pod.containers(),
                        pod.nextRequests(),
                        pod.hasDefaults());
    }

    private static Preferences merged(Preferences preferences, Labels labels) {
        return new Preferences(
                        preferences.nodeAffinity(),
                        preferences.podAffinity(),
                        preferences.podAntiAffinity(),
                        preferences.topologySpread().stream()
                                .map(spread -> merged(spread, labels))
                                .toList(),
                        preferences.unread())
                .shared();
    }

    /**
     * {@return the constraint with matchLabelKeys in its selector} The scheduler adds them once more, with the labels
     * that the pod has then (TS-12).
     */
    private static TopologySpreadConstraint merged(TopologySpreadConstraint spread, Labels labels) {
        boolean isMerged = spread.labelSelector()
                .filter(selector -> selector.matchExpressions().stream()
                        .anyMatch(it -> spread.matchLabelKeys().contains(it.key())))
                .isPresent();
        return isMerged
                ? spread
                : new TopologySpreadConstraint(
                        spread.maxSkew(),
                        spread.topologyKey(),
                        spread.selectorFor(labels),
                        spread.minDomains(),
                        spread.nodeAffinityPolicy(),
                        spread.nodeTaintsPolicy(),
                        spread.matchLabelKeys());
    }

    private static List<Toleration> tolerations(List<Toleration> written) {
        List<Toleration> all = new ArrayList<>(written);
        for (String taint : TOLERATED) {
            boolean isTolerated = written.stream()
                    .filter(it -> it.key().isEmpty() || it.key().equals(taint))
                    .anyMatch(it -> it.effect().isEmpty() || it.effect().equals(NO_EXECUTE));
            if (!isTolerated) {
                all.add(new Toleration(taint, "Exists", "", NO_EXECUTE, TOLERATED_SECONDS));
            }
        }
        return all;
    }

    private static VictimProtection with(VictimProtection pod, int priority) {
        return new VictimProtection(
                pod.controller(),
                priority,
                pod.restartPolicy(),
                pod.mirror(),
                pod.gangMember(),
                pod.localStorage(),
                pod.scheduler(),
                pod.resourceClaims(),
                pod.evictionResponder(),
                pod.securityLevel(),
                pod.disruptionAnnotations());
    }
}

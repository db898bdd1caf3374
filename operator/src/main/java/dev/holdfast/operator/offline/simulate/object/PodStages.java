package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of a pod that a controller creates, from its creation until its end. */
public final class PodStages {
    /** The label with its own name that a StatefulSet gives each pod. */
    public static final String POD_NAME = "statefulset.kubernetes.io/pod-name";

    /** The label with its ordinal that a StatefulSet gives each pod. */
    public static final String POD_INDEX = "apps.kubernetes.io/pod-index";

    private static final String STATEFUL_SET = "StatefulSet";
    private static final Pattern GENERATIONS = Pattern.compile("(.*)-new(\\d{0,6})");

    private PodStages() {}

    /** {@return a pod like another one of the same controller, bound to no node} */
    public static Pod created(String uid, NamespacedName name, Pod like, Instant now) {
        boolean isOther = isOfStatefulSet(like) && !like.name().equals(name);
        return with(
                isOther ? like.with(like.podRequirements().withClaims(claims(like, name.name()))) : like,
                uid,
                name,
                1,
                isOther ? labels(like, name.name()) : like.labels().own(),
                Optional.empty(),
                new PodLifecycle(Phase.PENDING, false, now, now, Optional.empty(), false));
    }

    /** {@return the labels of a pod of a StatefulSet, which has another name than the pod that it is like} */
    private static Labels labels(Pod like, String name) {
        Map<String, String> labels = new HashMap<>(like.labels().own().toMap());
        labels.computeIfPresent(POD_NAME, (_, _) -> name);
        labels.computeIfPresent(POD_INDEX, (_, _) -> name.substring(name.lastIndexOf('-') + 1));
        return Labels.of(labels);
    }

    /** {@return the claims of a pod of a StatefulSet: db-2 uses data-db-2 where db-0 uses data-db-0} */
    public static List<String> claims(Pod like, String name) {
        String end = "-" + like.name().name();
        return like.podRequirements().claims().stream()
                .map(claim ->
                        claim.endsWith(end) ? claim.substring(0, claim.length() - end.length() + 1) + name : claim)
                .toList();
    }

    /**
     * {@return the pod that takes the place of another one} Name and UID follow from the other pod, so that they are
     * the same in each simulation.
     *
     * @param template what the pod is like apart from name and UID
     */
    public static Pod replacing(Pod pod, Pod template, Instant now) {
        NamespacedName name = isOfStatefulSet(pod)
                ? pod.name()
                : new NamespacedName(pod.namespace(), nameAfter(pod.name().name()));
        return created(pod.uid() + "/new", name, template, now);
    }

    /** {@return the name of the pod after one: {@code web-1-new}, {@code web-1-new2}} */
    private static String nameAfter(String name) {
        Matcher generations = GENERATIONS.matcher(name);
        if (!generations.matches()) {
            return name + "-new";
        }
        String number = generations.group(2);
        return generations.group(1) + "-new" + (number.isEmpty() ? 2 : Integer.parseInt(number) + 1);
    }

    public static boolean isOfStatefulSet(Pod pod) {
        return pod.victimProtection()
                .controller()
                .map(Controller::kind)
                .filter(STATEFUL_SET::equals)
                .isPresent();
    }

    /** {@return the name of a pod without what its controller added} */
    public static String base(String name) {
        int end = name.lastIndexOf('-');
        return end < 0 ? name : name.substring(0, end);
    }

    /** {@return the number at the end of the name of a pod of a StatefulSet; -1 for others} */
    public static int ordinal(Pod pod) {
        String end = pod.name().name().substring(base(pod.name().name()).length());
        return isOfStatefulSet(pod) && end.matches("-\\d{1,9}") ? Integer.parseInt(end.substring(1)) : -1;
    }

    /** {@return the pod, bound to a node, whose zone and region it gets as labels} */
    public static Pod bound(Pod pod, Node node, Instant now) {
        PodLifecycle life = pod.life();
        return with(
                pod,
                pod.uid(),
                pod.name(),
                pod.resourceVersion() + 1,
                pod.labels().withNodePairsOf(node.labels()),
                Optional.of(node.name()),
                new PodLifecycle(life.phase(), false, life.creationTime(), now, life.deletionTime(), false));
    }

    /** {@return the pod, running and Ready} */
    public static Pod ready(Pod pod) {
        return with(pod, Phase.RUNNING, true, pod.life().deletionTime());
    }

    /** {@return the pod, not Ready} */
    public static Pod unready(Pod pod) {
        return with(pod, pod.life().phase(), false, pod.life().deletionTime());
    }

    /** {@return the pod, whose deletion is requested} */
    public static Pod terminating(Pod pod, Instant now) {
        return with(pod, pod.life().phase(), pod.ready(), Optional.of(now));
    }

    /** {@return the pod, which has done its work} */
    public static Pod succeeded(Pod pod) {
        return with(pod, Phase.SUCCEEDED, false, pod.life().deletionTime());
    }

    private static Pod with(Pod pod, Phase phase, boolean ready, Optional<Instant> deletionTime) {
        PodLifecycle life = pod.life();
        return with(
                pod,
                pod.uid(),
                pod.name(),
                pod.resourceVersion() + 1,
                pod.labels(),
                pod.nodeName(),
                new PodLifecycle(phase, ready, life.creationTime(), life.boundTime(), deletionTime, false));
    }

    /** {@return the same properties of a pod for which no scheduler makes room} */
    private static VictimProtection withoutNomination(VictimProtection like) {
        PodScheduler scheduler = like.scheduler();
        return scheduler.nominatedNode().isEmpty()
                ? like
                : like.with(new PodScheduler(scheduler.name(), scheduler.gated(), ""), like.securityLevel());
    }

    private static Pod with(
            Pod like,
            String uid,
            NamespacedName name,
            long version,
            Labels labels,
            Optional<String> node,
            PodLifecycle life) {
        return new Pod(
                uid,
                name,
                version,
                labels,
                node,
                like.scheduling(),
                like.podRequirements(),
                life,
                withoutNomination(like.victimProtection()));
    }
}

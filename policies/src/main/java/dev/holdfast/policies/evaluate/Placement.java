package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the nodes that would accept a pod. The required rules of the pod, the anti-affinity of other pods, taints and
 * cordons count; resources, host ports and volumes do not. Each node is checked as if the pod had left its own node.
 */
public final class Placement {
    /** The taint that the node lifecycle controller gives to cordoned nodes. */
    public static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");

    private static final String CLOSED = "cordoned or tainted";
    static final String AGAINST_RULES = "against its rules";
    private static final String UNREAD = "near pods with labels that are too many to be read";
    private static final String LEAVING = "near partners that are about to leave";

    private Placement() {}

    /**
     * {@return the nodes that would accept the pod, ordered by name; they may include its present node}
     *
     * @param further rules that the node must satisfy in addition to those of the pod's own spec
     */
    public static List<Node> fits(Pod pod, List<Rule> further, ClusterView view) {
        NodeRejection nodeRejection =
                ofNode(pod, further).or(ofPods(pod, further, view, ExistingAntiAffinityView.of(view)));
        return view.nodes().stream()
                .filter(node -> nodeRejection.to(node).isEmpty())
                .toList();
    }

    /** {@return a check that rejects nodes because of taints, cordons or node affinity; other pods do not count} */
    public static NodeRejection ofNode(Pod pod, List<Rule> further) {
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        NodeRejection nodeRejection = NodeRejection.unless(node -> open(node, tolerations), CLOSED);
        for (Rule rule : rules(pod, further)) {
            if (rule instanceof Rule.OfNode ofNode) {
                nodeRejection =
                        nodeRejection.or(NodeRejection.unless(accepting(Evaluator.prepare(ofNode)), AGAINST_RULES));
            }
        }
        return nodeRejection;
    }

    /**
     * {@return a check that rejects nodes because of other pods: by those rules of the pod that look at other pods, and
     * by the anti-affinity of the other pods} The check is valid for any number of nodes until the view changes.
     *
     * @param existingAntiAffinityView the anti-affinity of the pods in the view
     */
    public static NodeRejection ofPods(
            Pod pod, List<Rule> further, ClusterView view, ExistingAntiAffinityView existingAntiAffinityView) {
        NodeRejection nodeRejection = NodeRejection.prepared(() -> existingAntiAffinityView.rejection(pod));
        for (Rule rule : rules(pod, further)) {
            if (!(rule instanceof Rule.OfNode)) {
                nodeRejection = nodeRejection.or(NodeRejection.prepared(
                        () -> NodeRejection.unless(accepting(Evaluator.prepare(rule, pod, view)), AGAINST_RULES)));
                nodeRejection = nodeRejection.or(UnreadNodes.rejection(rule, pod, view));
            }
            if (rule instanceof Rule.PodAntiAffinity anti) {
                nodeRejection = nodeRejection.or(NodeRejection.prepared(
                        () -> NodeRejection.unless(UnreadLabels.withoutConflict(anti, pod, view), UNREAD)));
            }
        }
        return nodeRejection;
    }

    /**
     * {@return a check that rejects nodes that satisfy an affinity of the pod only by partners that are missing in the
     * view}
     *
     * @param further rules that the node must satisfy in addition to those of the pod's own spec
     * @param staying a view without the pods that leave
     */
    public static NodeRejection ofStayingPartners(Pod pod, List<Rule> further, ClusterView staying) {
        NodeRejection nodeRejection = NodeRejection.NONE;
        for (Rule rule : rules(pod, further)) {
            if (rule instanceof Rule.PodAffinity) {
                nodeRejection = nodeRejection.or(NodeRejection.prepared(
                        () -> NodeRejection.unless(accepting(Evaluator.prepare(rule, pod, staying)), LEAVING)));
            }
        }
        return nodeRejection;
    }

    /**
     * {@return a check that rejects nodes for the replacement of a pod, by those rules of its spec that {@link #ofNode}
     * and {@link #ofPods} have not checked}
     *
     * @param further the rules that were given to these checks
     * @param created the constraints of the replacement
     */
    public static NodeRejection ofReplacement(Pod pod, List<Rule> further, Scheduling created, ClusterView view) {
        Scheduling stored = created.storedFor(pod.labels().own());
        Pod replacement = pod.withScheduling(stored);
        NodeRejection nodeRejection = NodeRejection.NONE;
        // A spread constraint counts nodes by the node rules of its pod.
        List<Rule> checked =
                requires(stored).equals(requires(pod.withInjectedAsOwn().scheduling()))
                        ? rules(pod, further)
                        : List.of();
        for (Rule rule : PodRules.of(stored)) {
            if (!checked.contains(rule)) {
                nodeRejection = nodeRejection.or(NodeRejection.prepared(() ->
                        NodeRejection.unless(accepting(Evaluator.prepare(rule, replacement, view)), AGAINST_RULES)));
                nodeRejection = nodeRejection.or(UnreadNodes.rejection(rule, replacement, view));
            }
        }
        return nodeRejection;
    }

    /**
     * {@return a check that rejects nodes because of taints and cordons alone, and names them: {@code cordoned},
     * {@code tainted gpu=true:NoSchedule}}
     */
    public static NodeRejection ofTaints(Pod pod) {
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        return node -> isCordoned(node, tolerations)
                ? Optional.of("cordoned")
                : tolerations.repelledBy(node).map(taint -> "tainted " + taint);
    }

    private static Scheduling requires(Scheduling scheduling) {
        return scheduling.withPreferences(Preferences.none());
    }

    private static List<Rule> rules(Pod pod, List<Rule> further) {
        return Stream.concat(PodRules.of(pod.scheduling()).stream(), further.stream())
                .distinct()
                .toList();
    }

    private static Predicate<Node> accepting(NodeFilter nodeFilter) {
        return nodeFilter::accepts;
    }

    private static boolean open(Node node, TolerationMatcher tolerations) {
        return !isCordoned(node, tolerations) && tolerations.repelledBy(node).isEmpty();
    }

    private static boolean isCordoned(Node node, TolerationMatcher tolerations) {
        return node.unschedulable() && !tolerations.tolerates(CORDON);
    }
}

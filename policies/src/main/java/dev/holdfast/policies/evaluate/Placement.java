package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The placement question: on which nodes would this pod pass all its required rules, others' anti-affinity, taints and
 * cordon, with itself taken out of the cluster? Resources and ports play no part here.
 */
public final class Placement {
    private static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");

    private Placement() {}

    /**
     * {@return the nodes that would accept the pod, by name; its own node among them if it would be accepted again}
     *
     * @param further rules that must hold beside those of the pod's own spec
     */
    public static List<Node> fits(Pod pod, List<Rule> further, ClusterView view) {
        return view.nodes().stream()
                .filter(prepare(pod, further, view, Repulsion.of(view)))
                .toList();
    }

    /**
     * {@return whether a node would accept the pod, to be asked of as many nodes as one likes before anything changes}
     *
     * @param repulsion of the pods in the view
     */
    public static Predicate<Node> prepare(Pod pod, List<Rule> further, ClusterView view, Repulsion repulsion) {
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        List<Predicate<Node>> ofNode = new ArrayList<>();
        List<Predicate<Node>> ofPods = new ArrayList<>();
        ofNode.add(node -> open(node, tolerations));
        ofPods.add(new Once(() -> repulsion.keepingOut(pod).negate()));
        Stream.concat(PodRules.of(pod.scheduling()).stream(), further.stream())
                .distinct()
                .forEach(rule -> {
                    Predicate<Node> accepts = new Once(() -> accepting(Evaluator.prepare(rule, pod, view)));
                    (rule instanceof Rule.NodeAffinity ? ofNode : ofPods).add(accepts);
                });
        // What the node alone decides first: most nodes that do not accept a pod do not because of that.
        List<Predicate<Node>> all =
                Stream.concat(ofNode.stream(), ofPods.stream()).toList();
        return node -> {
            for (Predicate<Node> one : all) {
                if (!one.test(node)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static Predicate<Node> accepting(Judgement judgement) {
        return node -> judgement.on(node) instanceof Verdict.Satisfied;
    }

    private static boolean open(Node node, TolerationMatcher tolerations) {
        return (!node.unschedulable() || tolerations.tolerates(CORDON))
                && tolerations.repelledBy(node).isEmpty();
    }

    /** A question that is prepared when it is asked for the first time: to prepare one takes a look at many pods. */
    private static final class Once implements Predicate<Node> {
        private final Supplier<Predicate<Node>> maker;
        private @Nullable Predicate<Node> made;

        Once(Supplier<Predicate<Node>> maker) {
            this.maker = maker;
        }

        @Override
        public boolean test(Node node) {
            if (made == null) {
                made = maker.get();
            }
            return made.test(node);
        }
    }
}

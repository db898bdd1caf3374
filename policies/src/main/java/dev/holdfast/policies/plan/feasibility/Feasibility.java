package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.capacity.NodeRejections;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** The feasibility check of one pod: another node must have room for the pod and satisfy all its rules. */
public final class Feasibility {
    /** A part of messages, about nodes where the move would break at least as many rules as it heals. */
    private static final String TRADING = "where it would break rules of other pods";

    /**
     * How many more nodes a search tries after the first that would take the candidate. Trying all nodes would take too
     * long in a large cluster.
     */
    private static final int LOOK_ON = 100;

    private Feasibility() {}

    /**
     * The result of looking for a node.
     *
     * @param target a node that would take the candidate; absent if none would
     * @param tried the number of nodes that were checked
     * @param against why no node would take the candidate; absent if one would
     * @param byNodesAlone whether the nodes alone rejected the candidate, so that no change of pods, moves or volumes
     *     can help
     */
    public record Search(Optional<String> target, int tried, Optional<Infeasibility> against, boolean byNodesAlone) {
        Search(Optional<String> target, int tried, Optional<Infeasibility> against) {
            this(target, tried, against, false);
        }
    }

    /**
     * {@return a node, except the pod's present node, that would take the candidate; or why none would} The search
     * compares the first suitable node by name and the {@value #LOOK_ON} nodes after it, and chooses the one with the
     * fewest violated rules after the move.
     */
    static Search fit(Candidate candidate, Situation situation) {
        PendingMoves pendingMoves = PendingMoves.of(situation.moves(), situation.view());
        NodeRejection ofNodeAlone = ofNodeAlone(candidate, situation);
        NodeRejection ofOthers = ofOthers(candidate, pendingMoves, situation);
        NodeRejections nodeRejections = new NodeRejections();
        boolean byNodesAlone = true;
        Optional<Node> best = Optional.empty();
        ToIntFunction<Node> moreBroken = _ -> 0;
        int fewest = 0;
        int tried = 0;
        int last = Integer.MAX_VALUE;
        for (Node node : situation.view().nodes()) {
            if (node.name().equals(candidate.node())) {
                continue;
            }
            if (tried == last) {
                break;
            }
            tried++;
            Optional<String> against = ofNodeAlone.to(node);
            if (against.isEmpty()) {
                byNodesAlone = false;
                against = ofOthers.to(node);
            }
            if (against.isPresent()) {
                nodeRejections.add(against.get());
                continue;
            }
            if (best.isEmpty()) {
                moreBroken = moreBroken(candidate, pendingMoves, situation);
                last = tried + LOOK_ON;
            }
            int more = moreBroken.applyAsInt(node);
            if (best.isEmpty() || more < fewest) {
                best = Optional.of(node);
                fewest = more;
            }
        }
        return best.isPresent()
                ? new Search(best.map(Node::name), tried, Optional.empty())
                : new Search(
                        Optional.empty(),
                        tried,
                        Optional.of(infeasibility(nodeRejections, candidate.replacement(situation.view()), situation)),
                        byNodesAlone);
    }

    /** {@return the reason and message for a pod that no node would take, from the rejections of all nodes} */
    private static Infeasibility infeasibility(NodeRejections nodeRejections, Pod pod, Situation situation) {
        VolumeTopology volumeTopology = situation.cluster().volumeTopology();
        if (nodeRejections.include(UnreadNodes.UNSURE)) {
            return new Infeasibility(
                    Reason.TOO_COMPLEX,
                    UnreadNodes.why(situation.view()) + "; so it is unknown which node would take the pod: "
                            + nodeRejections.describe());
        }
        if (nodeRejections.include(TRADING)) {
            return new Infeasibility(
                    Reason.TRADES_VIOLATIONS,
                    "on each node that has room for it, the move would break at least as many rules as it heals: "
                            + nodeRejections.describe());
        }
        if (ClusterFacts.isUncounted(nodeRejections)) {
            return Infeasibility.UNCOUNTED;
        }
        return nodeRejections.include(VolumeTopology.OUT_OF_REACH)
                ? new Infeasibility(
                        Reason.VOLUME_PINNED,
                        volumeTopology.describe(pod) + ", and no other node would take the pod now: "
                                + nodeRejections.describe())
                : new Infeasibility(
                        Reason.INFEASIBLE, "no other node would take the pod now: " + nodeRejections.describe());
    }

    /**
     * {@return a check that rejects nodes that have been Ready for less than the candidate's settle time (at most 5
     * minutes)} Such a node may soon be unready again. If a Ready condition has no transition time, the creation time
     * of the node counts.
     */
    private static NodeRejection unsettled(Candidate candidate, Instant now) {
        Instant latest = now.minus(candidate.settleTime());
        return NodeRejection.unless(node -> !node.life().readySince().isAfter(latest), "not Ready for long enough");
    }

    /**
     * {@return how many fewer rules are violated after the move to the node, over all pods; 0 if the node does not
     * exist}
     */
    public static int heals(String node, Candidate candidate, Situation situation) {
        ToIntFunction<Node> moreBroken =
                moreBroken(candidate, PendingMoves.of(situation.moves(), situation.view()), situation);
        return situation.view().node(node).map(it -> -moreBroken.applyAsInt(it)).orElse(0);
    }

    /** {@return whether the node would take the candidate; false if the node does not exist} */
    public static boolean takes(String node, Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(node)
                .filter(_ -> situation
                        .cluster()
                        .volumeTopology()
                        .unreadable(candidate.replacement(situation.view()))
                        .isEmpty())
                .filter(it -> rejection(candidate, PendingMoves.of(situation.moves(), situation.view()), situation)
                        .to(it)
                        .isEmpty())
                .isPresent();
    }

    /** {@return whether a node alone rejects the candidate, whatever other pods, moves and volumes there are} */
    static boolean isRejectedAlone(String node, Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(node)
                .filter(it -> ofNodeAlone(candidate, situation).to(it).isPresent())
                .isPresent();
    }

    /**
     * {@return a check that gives the first reason why a node would not take the candidate} The node must be suitable
     * both in the present state and in the state after all moves in flight. A victim that still runs keeps its
     * resources and its anti-affinity. The expected replacement already counts on the target node.
     *
     * <p>Objections that depend on the node alone come first, because they rule out most nodes cheaply. Volumes come
     * last, so that messages name a volume only if nothing else is in the way.
     */
    private static NodeRejection rejection(Candidate candidate, PendingMoves pendingMoves, Situation situation) {
        return ofNodeAlone(candidate, situation).or(ofOthers(candidate, pendingMoves, situation));
    }

    /**
     * {@return the part of the check that reads nothing but the node, with its states within the settle time, and, for
     * a substitute victim, the rule owner}
     */
    private static NodeRejection ofNodeAlone(Candidate candidate, Situation situation) {
        NodeRejection closed = LeavingNodes::closed;
        NodeRejection suitable =
                closed.or(Placement.ofNode(candidate.replacement(situation.view()), candidate.furtherRules()));
        return NodeRejection.unless(Node::ready, "not Ready")
                .or(unsettled(candidate, situation.now()))
                .or(candidate.strategy().rejection(candidate.rule(), candidate.pod(), situation.view()))
                .or(suitable)
                .or(formerly(suitable, candidate, situation));
    }

    /**
     * {@return a check that rejects nodes that another check, which depends on the node alone, would have rejected at
     * any time during the candidate's settle time}
     */
    private static NodeRejection formerly(NodeRejection nodeRejection, Candidate candidate, Situation situation) {
        Instant latest = situation.now().minus(candidate.settleTime());
        return situation.cluster().formerNodes().since(latest, nodeRejection);
    }

    /**
     * {@return the part of the check that depends on other pods, moves in flight or volumes} Earlier a node had as much
     * room as now, if its own resources did not change.
     */
    private static NodeRejection ofOthers(Candidate candidate, PendingMoves pendingMoves, Situation situation) {
        ClusterView view = situation.view();
        Pod pod = candidate.replacement(view);
        NodeRejection volumes = situation.cluster().volumesOf(pod, pendingMoves);
        NodeRejection room = situation.cluster().resourceFit().of(pod.podRequirements(), pendingMoves);
        NodeRejection now = room.or(formerly(room, candidate, situation))
                .or(Placement.ofPods(
                        pod, candidate.furtherRules(), view, situation.rules().existingAntiAffinityView()))
                .or(nearStayingPartners(pod, candidate, view))
                .or(ofReplacement(candidate, view, situation));
        if (pendingMoves.isEmpty()) {
            return now.or(trading(candidate, PendingMoves.NONE, situation)).or(volumes);
        }
        ClusterView kept = pendingMoves.keptIn(view);
        return now.or(Placement.ofPods(
                        pod,
                        candidate.furtherRules(),
                        kept,
                        ExistingAntiAffinityView.of(pendingMoves.arriving(), view)))
                .or(nearStayingPartners(pod, candidate, kept))
                .or(ofReplacement(candidate, kept, situation))
                .or(trading(candidate, PendingMoves.NONE, situation))
                .or(trading(candidate, pendingMoves, situation))
                .or(volumes);
    }

    /**
     * {@return a check that rejects nodes where only partners that are about to leave would satisfy an affinity of the
     * pod} For anti-affinity and spread, pods that leave count as in the scheduler.
     */
    private static NodeRejection nearStayingPartners(Pod pod, Candidate candidate, ClusterView view) {
        return Placement.ofStayingPartners(
                pod, candidate.furtherRules(), new HidingView(view, other -> !LeavingNodes.stays(other, view)));
    }

    /**
     * {@return a check that rejects nodes that the scheduler would reject for the replacement, into which policies
     * inject rules} Each rule is also checked alone, but injected rules change which nodes a spread constraint counts.
     */
    private static NodeRejection ofReplacement(Candidate candidate, ClusterView view, Situation situation) {
        Pod pod = candidate.replacement(view);
        return situation
                .rules()
                .createdAgain()
                .of(pod)
                .map(created -> Placement.ofReplacement(pod, candidate.furtherRules(), created, view))
                .orElse(NodeRejection.NONE);
    }

    /**
     * {@return a check that rejects nodes where the move would not reduce the total number of broken rules, over all
     * pods} If several victims must make way for one rule owner, the other victims already count as gone.
     */
    private static NodeRejection trading(Candidate candidate, PendingMoves pendingMoves, Situation situation) {
        return NodeRejection.prepared(() -> {
            ToIntFunction<Node> moreBroken = moreBroken(candidate, pendingMoves, situation);
            return NodeRejection.unless(node -> moreBroken.applyAsInt(node) < 0, TRADING);
        });
    }

    /** {@return for each node, how many more rules would be violated after the move to it, over all pods} */
    private static ToIntFunction<Node> moreBroken(Candidate candidate, PendingMoves pendingMoves, Situation situation) {
        Set<RuleIdentity> further =
                candidate.further().stream().map(AppliedRule::identity).collect(Collectors.toSet());
        Set<String> leaving = new HashSet<>(pendingMoves.leaving());
        leaving.addAll(candidate.strategy().leaving());
        leaving.remove(candidate.pod().uid());
        ImpactOnOthers impact = situation.rules().impactOnOthers();
        return impact.additionalViolations(
                candidate.replacement(situation.view()),
                further,
                leaving,
                pendingMoves.arriving(),
                impact.anyRequiredWherePossible() ? candidate.regardedOfAny() : candidate.regarded());
    }
}

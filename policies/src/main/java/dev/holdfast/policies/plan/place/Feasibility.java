package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.capacity.NodeRejections;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Nothing is moved that cannot land: some other node must have room for the pod and accept it with all its rules. */
public final class Feasibility {
    /** The objection to a place that only bystanders make worse. */
    private static final String TRADING = "where it would break the rules of others";

    private Feasibility() {}

    /**
     * What came of looking for a place.
     *
     * @param target the first node, by name, that would take the candidate
     * @param tried how many nodes were asked
     * @param against what speaks against all of them; absent where one would take the candidate
     */
    public record Search(Optional<String> target, int tried, Optional<Infeasibility> against) {}

    /** {@return the first node by name that would take the candidate} */
    static Search firstFit(Candidate candidate, Situation situation) {
        NodeRejection nodeRejection = objection(candidate, situation);
        NodeRejections nodeRejections = new NodeRejections();
        int tried = 0;
        for (Node node : situation.view().nodes()) {
            if (node.name().equals(candidate.node())) {
                continue;
            }
            tried++;
            Optional<String> against = nodeRejection.to(node);
            if (against.isEmpty()) {
                return new Search(Optional.of(node.name()), tried, Optional.empty());
            }
            nodeRejections.add(against.get());
        }
        return new Search(
                Optional.empty(),
                tried,
                Optional.of(obstacle(
                        nodeRejections, candidate.pod(), situation.cluster().volumeTopology())));
    }

    /** {@return the obstacle that all these objections are together} */
    private static Infeasibility obstacle(NodeRejections nodeRejections, Pod pod, VolumeTopology volumeTopology) {
        if (nodeRejections.include(TRADING)) {
            return new Infeasibility(
                    Reason.TRADES_VIOLATIONS,
                    "wherever it could go, it would break no fewer rules than it mends: " + nodeRejections.describe());
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
     * A node must have been Ready for the settle time: one that comes and
     * goes is no better than the one the pod is on. Where nothing says since when it is Ready, its age counts.
     */
    private static NodeRejection unsettled(Candidate candidate, Instant now) {
        Instant latest = now.minus(candidate.settleTime());
        return NodeRejection.unless(node -> !node.life().readySince().isAfter(latest), "only just Ready");
    }

    /** {@return whether a node would take the candidate} */
    public static boolean takes(String node, Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(node)
                .filter(_ -> situation
                        .cluster()
                        .volumeTopology()
                        .unreadable(candidate.pod())
                        .isEmpty())
                .filter(it -> objection(candidate, situation).to(it).isEmpty())
                .isPresent();
    }

    /**
     * A place must do as things stand and as they will when all moves under way have ended: a victim that is still there
     * keeps its seat and keeps others out, and what will replace it does so already. What a node decides alone comes first:
     * most nodes that do not take a pod do not because of that. Volumes come last, so that they are only named where all else
     * would do.
     */
    private static NodeRejection objection(Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        ClusterView view = situation.view();
        PendingMoves pendingMoves = PendingMoves.of(situation.moves());
        NodeRejection now = NodeRejection.unless(Node::ready, "not Ready")
                .or(unsettled(candidate, situation.now()))
                .or(candidate.strategy().objection(candidate.rule(), candidate.pod(), view))
                .or(NodeRejection.unless(node -> LeavingNodes.marked(node).isEmpty(), "on its way out"))
                .or(Placement.ofNode(pod, candidate.furtherRules()))
                .or(situation.cluster().resourceFit().of(pod.podRequirements(), pendingMoves))
                .or(Placement.ofPods(
                        pod, candidate.furtherRules(), view, situation.rules().existingAntiAffinityView()));
        return pendingMoves.isEmpty()
                ? now.or(trading(candidate, PendingMoves.NONE, situation))
                        .or(situation.cluster().volumeTopology().of(pod))
                : now.or(Placement.ofPods(
                                pod,
                                candidate.furtherRules(),
                                pendingMoves.keptIn(view),
                                ExistingAntiAffinityView.of(pendingMoves.arriving(), view)))
                        .or(trading(candidate, PendingMoves.NONE, situation))
                        .or(trading(candidate, pendingMoves, situation))
                        .or(situation.cluster().volumeTopology().of(pod));
    }

    /**
     * {@return an objection to places where the move would leave no less broken than it finds} Of several that are in the
     * way of one, each is as good as the last.
     */
    private static NodeRejection trading(Candidate candidate, PendingMoves pendingMoves, Situation situation) {
        return NodeRejection.prepared(() -> {
            Set<RuleIdentity> further =
                    candidate.further().stream().map(HeldRule::identity).collect(Collectors.toSet());
            Set<String> leaving = new HashSet<>(pendingMoves.leaving());
            leaving.addAll(candidate.strategy().leaving());
            leaving.remove(candidate.pod().uid());
            ToIntFunction<Node> moreBroken = situation
                    .rules()
                    .impactOnOthers()
                    .moreBroken(candidate.pod(), further, leaving, pendingMoves.arriving());
            return NodeRejection.unless(node -> moreBroken.applyAsInt(node) < 0, TRADING);
        });
    }
}

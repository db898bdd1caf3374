package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.evaluate.Objection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Repulsion;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.capacity.Objections;
import dev.holdfast.policies.plan.capacity.Obstacle;
import dev.holdfast.policies.plan.capacity.Promises;
import dev.holdfast.policies.plan.capacity.Volumes;
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
    public record Search(Optional<String> target, int tried, Optional<Obstacle> against) {}

    /** {@return the first node by name that would take the candidate} */
    static Search firstFit(Candidate candidate, Situation situation) {
        Objection objection = objection(candidate, situation);
        Objections objections = new Objections();
        int tried = 0;
        for (Node node : situation.view().nodes()) {
            if (node.name().equals(candidate.node())) {
                continue;
            }
            tried++;
            Optional<String> against = objection.to(node);
            if (against.isEmpty()) {
                return new Search(Optional.of(node.name()), tried, Optional.empty());
            }
            objections.add(against.get());
        }
        return new Search(
                Optional.empty(),
                tried,
                Optional.of(obstacle(
                        objections, candidate.pod(), situation.cluster().volumes())));
    }

    /** {@return the obstacle that all these objections are together} */
    private static Obstacle obstacle(Objections objections, Pod pod, Volumes volumes) {
        if (objections.include(TRADING)) {
            return new Obstacle(
                    Reason.TRADES_VIOLATIONS,
                    "wherever it could go, it would break no fewer rules than it mends: " + objections.describe());
        }
        return objections.include(Volumes.OUT_OF_REACH)
                ? new Obstacle(
                        Reason.VOLUME_PINNED,
                        volumes.describe(pod) + ", and no other node would take the pod now: " + objections.describe())
                : new Obstacle(Reason.INFEASIBLE, "no other node would take the pod now: " + objections.describe());
    }

    /**
     * A node must have been Ready for the settle time: one that comes and
     * goes is no better than the one the pod is on. Where nothing says since when it is Ready, its age counts.
     */
    private static Objection unsettled(Candidate candidate, Instant now) {
        Instant latest = now.minus(candidate.settleTime());
        return Objection.unless(node -> !node.life().readySince().isAfter(latest), "only just Ready");
    }

    /** {@return whether a node would take the candidate} */
    public static boolean takes(String node, Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(node)
                .filter(_ -> situation
                        .cluster()
                        .volumes()
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
    private static Objection objection(Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        ClusterView view = situation.view();
        Promises promises = Promises.of(situation.moves());
        Objection now = Objection.unless(Node::ready, "not Ready")
                .or(unsettled(candidate, situation.now()))
                .or(candidate.strategy().objection(candidate.rule(), candidate.pod(), view))
                .or(Objection.unless(node -> LeavingNodes.marked(node).isEmpty(), "on its way out"))
                .or(Placement.ofNode(pod, candidate.furtherRules()))
                .or(situation.cluster().room().of(pod.needs(), promises))
                .or(Placement.ofPods(
                        pod, candidate.furtherRules(), view, situation.rules().repulsion()));
        return promises.isEmpty()
                ? now.or(trading(candidate, Promises.NONE, situation))
                        .or(situation.cluster().volumes().of(pod))
                : now.or(Placement.ofPods(
                                pod,
                                candidate.furtherRules(),
                                promises.keptIn(view),
                                Repulsion.of(promises.arriving(), view)))
                        .or(trading(candidate, Promises.NONE, situation))
                        .or(trading(candidate, promises, situation))
                        .or(situation.cluster().volumes().of(pod));
    }

    /**
     * {@return an objection to places where the move would leave no less broken than it finds} Of several that are in the
     * way of one, each is as good as the last.
     */
    private static Objection trading(Candidate candidate, Promises promises, Situation situation) {
        return Objection.prepared(() -> {
            Set<RuleIdentity> further =
                    candidate.further().stream().map(HeldRule::identity).collect(Collectors.toSet());
            Set<String> leaving = new HashSet<>(promises.leaving());
            leaving.addAll(candidate.strategy().leaving());
            leaving.remove(candidate.pod().uid());
            ToIntFunction<Node> moreBroken =
                    situation.rules().bystanders().moreBroken(candidate.pod(), further, leaving, promises.arriving());
            return Objection.unless(node -> moreBroken.applyAsInt(node) < 0, TRADING);
        });
    }
}

package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.capacity.FormerNodes;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.domain.DomainHistory;
import dev.holdfast.policies.plan.domain.RememberedNodes;
import dev.holdfast.policies.plan.domain.VanishedNodes;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.SpreadDomains;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The state that is kept from plan to plan: target nodes found so far, and observations of volumes, domains, nodes and
 * workloads.
 */
public final class PlannerMemory implements ViolationMemory {
    private static final int PLACES_IN_A_PLAN = 20;

    /**
     * The maximum number of nodes that one plan tries in its search for nodes that would take the replacements. Trying
     * 5,000 nodes without success takes up to 5 ms, in which the engine handles no event.
     */
    private static final int NODES_IN_A_PLAN = 20_000;

    private final PlacementCache placementCache = new PlacementCache(PLACES_IN_A_PLAN, NODES_IN_A_PLAN);
    private final VolumeTopology volumeTopology = new VolumeTopology();
    private final FormerNodes formerNodes = new FormerNodes();
    private final VanishedNodes vanished = new VanishedNodes();
    private final WorkloadDisturbances workloadDisturbances = new WorkloadDisturbances();
    private final ClusterView cluster;
    private final DomainHistory domains;

    /** The moves in flight of the last plan. */
    private List<Move> lastMoves = List.of();

    public PlannerMemory(ClusterView cluster) {
        this.cluster = cluster;
        this.domains = new DomainHistory(cluster);
    }

    /** {@return the cached results of the search for a target node, by violation} */
    public PlacementCache placementCache() {
        return placementCache;
    }

    /** Records the moves in flight: if they changed since the last plan, a node may take a pod it rejected before. */
    public void beginPlan(Collection<Move> inFlight) {
        List<Move> moves = List.copyOf(inFlight);
        if (!moves.equals(lastMoves)) {
            lastMoves = moves;
            placementCache.othersChanged();
        }
    }

    /** {@return the volumes of PersistentVolumeClaims, as read from the API server} */
    public VolumeTopology volumeTopology() {
        return volumeTopology;
    }

    /** {@return the states that nodes had a short time ago} */
    public FormerNodes formerNodes() {
        return formerNodes;
    }

    /** {@return the nodes that vanished unexpectedly a short time ago} */
    public VanishedNodes vanished() {
        return vanished;
    }

    /**
     * {@return the knowledge about nodes and domains, for the next process of the operator}
     *
     * @param spreads the spreads whose domains to remember
     * @param readByRules whether any rule reads a label key
     */
    public RememberedNodes rememberedNodes(Set<SpreadDomains> spreads, Predicate<String> readByRules) {
        domains.follow(spreads);
        return domains.remembered(vanished, readByRules);
    }

    /**
     * Takes over the knowledge of an earlier process about nodes and domains.
     *
     * @param written the instant of that knowledge
     */
    public void recall(RememberedNodes remembered, Instant written) {
        domains.recall(remembered, written);
        vanished.recall(remembered.vanished(), name -> cluster.node(name).isPresent());
    }

    /** {@return the recent disturbances of workloads: pods that were created, deleted or turned unready} */
    public WorkloadDisturbances workloadDisturbances() {
        return workloadDisturbances;
    }

    /**
     * {@return the record of how long each domain of a spread, for example a zone, has had an eligible, Ready and
     * schedulable node without interruption}
     */
    public DomainHistory domains() {
        return domains;
    }

    /**
     * Forgets since when no node would take the pod of a violation, so that this time starts again. After a time that a
     * policy sets, such a pod may be evicted nevertheless. Called after a time in which changes
     * may have been missed.
     */
    void restart(ViolationKey key) {
        placementCache.restart(key);
    }

    @Override
    public void forget(ViolationKey key) {
        placementCache.forget(key);
    }

    @Override
    public int size() {
        return placementCache.size()
                + volumeTopology.size()
                + formerNodes.size()
                + vanished.size()
                + workloadDisturbances.size()
                + domains.size();
    }
}

package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.simulate.object.LeavingOrder;
import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Deletes the pods that do not tolerate a new NoExecute taint of their node, as the taint eviction controller does: at
 * once, or when their {@code tolerationSeconds} are over. Disruption budgets do not matter. Pods of DaemonSets and
 * static pods belong to their node and stay.
 */
final class TaintEvictions {
    /** How long a pod tolerates a failed node if its spec does not say: the API server adds this toleration. */
    private static final long TOLERATED_SECONDS = 300;

    /** A longer toleration has no end, as far as simulations are concerned. */
    private static final long MOST_SECONDS = Duration.ofDays(3_650).toSeconds();

    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final BiConsumer<Pod, Optional<Pod>> deleted;

    /** Since when nodes have their new taints; a taint that is removed and comes again counts from then. */
    private final Map<NodeTaint, Instant> since = new HashMap<>();

    /** The taints of failed nodes for which nothing was deleted, because too many nodes of their zones have failed. */
    private final Set<NodeTaint> stopped = new LinkedHashSet<>();

    /** When pods are deleted. */
    private final NavigableSet<Instant> deletions = new TreeSet<>();

    private record NodeTaint(String node, Taint taint) {}

    /** @param deleted gets each pod that is deleted, and the one that takes its place */
    TaintEvictions(SimulatedCluster cluster, Agenda agenda, BiConsumer<Pod, Optional<Pod>> deleted) {
        this.cluster = cluster;
        this.agenda = agenda;
        this.deleted = deleted;
    }

    /** Plans the deletions that follow from the new taints of a node, and forgets those of its former taints. */
    void changed(Node before, Node after) {
        noExecute(before).stream()
                .filter(taint -> !after.taints().contains(taint))
                .map(taint -> new NodeTaint(after.name(), taint))
                .forEach(gone -> {
                    since.remove(gone);
                    stopped.remove(gone);
                });
        noExecute(after).stream()
                .filter(taint -> !before.taints().contains(taint))
                .forEach(taint -> begin(new NodeTaint(after.name(), taint)));
    }

    /** Forgets the taints of a node that was removed: a later node of the same name has others. */
    void removed(String node) {
        since.keySet().removeIf(key -> key.node().equals(node));
        stopped.removeIf(key -> key.node().equals(node));
    }

    /** Plans the deletions that zones with too many failed nodes stopped, as far as fewer have failed now. */
    void resume() {
        if (stopped.isEmpty()) {
            return;
        }
        ZoneDisruption disruption = new ZoneDisruption(cluster.view());
        List<NodeTaint> going = stopped.stream()
                .filter(it -> disruption.at(it.node()).isEmpty())
                .toList();
        going.forEach(stopped::remove);
        going.forEach(this::begin);
    }

    private static List<Taint> noExecute(Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect().equals("NoExecute"))
                .toList();
    }

    private void begin(NodeTaint key) {
        Instant now = agenda.instant();
        since.put(key, now);
        Map<Long, List<Pod>> byTime = new TreeMap<>();
        LeavingOrder.podsOn(key.node(), cluster.view()).stream()
                .filter(TaintEvictions::isDeleted)
                .forEach(pod -> secondsTolerated(pod, key.taint())
                        .ifPresent(seconds -> byTime.computeIfAbsent(seconds, _ -> new ArrayList<>())
                                .add(pod)));
        byTime.forEach((seconds, pods) -> {
            deletions.add(now.plusSeconds(seconds));
            agenda.in(Duration.ofSeconds(seconds), () -> delete(pods, key, now));
        });
    }

    private void delete(List<Pod> pods, NodeTaint key, Instant begun) {
        if (!begun.equals(since.get(key))) {
            return;
        }
        if (NodeStages.isOfFailure(key.taint())
                && new ZoneDisruption(cluster.view()).at(key.node()).isPresent()) {
            stopped.add(key);
            return;
        }
        boolean ends = cluster.view().node(key.node()).filter(Node::ready).isPresent();
        pods.stream()
                .flatMap(pod -> cluster.view().pod(pod.uid()).stream())
                .filter(TaintEvictions::isDeleted)
                .forEach(pod -> deleted.accept(pod, ends ? cluster.remove(pod) : cluster.terminate(pod)));
    }

    private static boolean isDeleted(Pod pod) {
        VictimProtection protection = pod.victimProtection();
        return !pod.finished() && !pod.terminating() && !protection.ofDaemonSet() && !protection.mirror();
    }

    /** {@return how long a pod stays on a node that has got a taint; empty if it stays for ever} */
    static OptionalLong secondsTolerated(Pod pod, Taint taint) {
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        if (!tolerations.tolerates(taint)) {
            return OptionalLong.of(NodeStages.isOfFailure(taint) ? TOLERATED_SECONDS : 0);
        }
        return tolerations.secondsWith(taint).stream()
                .filter(seconds -> seconds <= MOST_SECONDS)
                .findFirst();
    }

    /** {@return when the next pod is deleted unless its node loses its taint; empty if none is} */
    Optional<Instant> next() {
        return Optional.ofNullable(deletions.higher(agenda.instant()));
    }
}

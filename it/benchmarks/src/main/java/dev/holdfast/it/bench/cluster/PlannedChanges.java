package dev.holdfast.it.bench.cluster;

import dev.holdfast.it.bench.cluster.PlannedChange.Target;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The label changes that break rules of each kind, given where the pods run.
 *
 * <p>Node affinity: a node loses its SSD label. Anti-affinity: a pod without rules becomes noisy. Affinity: the cache
 * of a zone stops serving. Spread: a pod without rules gets the label of a workload. The pod is in a zone that already
 * has one more pod of this workload than other zones. A change causes the same violations while another change is in
 * effect, unless both relabel the same object or break the same rule of a pod.
 */
public final class PlannedChanges {
    private final Map<RuleKind, List<PlannedChange>> all = new EnumMap<>(RuleKind.class);

    private PlannedChanges(List<PlacedPod> pods) {
        all.put(RuleKind.NODE_AFFINITY, ssds(pods));
        all.put(RuleKind.POD_ANTI_AFFINITY, noises(pods));
        all.put(RuleKind.POD_AFFINITY, caches(pods));
        all.put(RuleKind.TOPOLOGY_SPREAD, skews(pods));
    }

    static PlannedChanges of(List<PlacedPod> pods) {
        return new PlannedChanges(pods);
    }

    /**
     * {@return changes that break rules of the given kinds in turn: one of the first kind, one of the second and so on}
     * Within a kind the order is random. A change is used again only if no unused one of its kind is independent of the
     * changes right before.
     *
     * @param apart how many consecutive changes must be independent: relabel different objects, break different rules
     * @throws IllegalArgumentException with a message of one line, if there are too few changes of a kind
     */
    public List<PlannedChange> inTurns(List<RuleKind> kinds, int count, int apart, Random random) {
        Map<RuleKind, List<PlannedChange>> waiting = new EnumMap<>(RuleKind.class);
        kinds.forEach(kind -> {
            List<PlannedChange> shuffled = new ArrayList<>(all.getOrDefault(kind, List.of()));
            Collections.shuffle(shuffled, random);
            waiting.put(kind, shuffled);
        });
        List<PlannedChange> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RuleKind kind = kinds.get(i % kinds.size());
            List<PlannedChange> last = turns.subList(Math.max(0, i - apart + 1), i);
            turns.add(take(kind, waiting.getOrDefault(kind, List.of()), last));
        }
        return List.copyOf(turns);
    }

    /**
     * {@return changes of the given kinds in turn, all of which may be in effect at the same time} A kind of which no
     * change is left is passed over. Within a kind the order is random.
     *
     * @param violations how many violations the changes cause together at least
     * @throws IllegalArgumentException with a message of one line, if there are too few changes
     */
    public List<PlannedChange> together(List<RuleKind> kinds, int violations, Random random) {
        List<Deque<PlannedChange>> waiting = new ArrayList<>();
        kinds.forEach(kind -> {
            List<PlannedChange> shuffled = new ArrayList<>(all.getOrDefault(kind, List.of()));
            Collections.shuffle(shuffled, random);
            waiting.add(new ArrayDeque<>(shuffled));
        });
        List<PlannedChange> together = new ArrayList<>();
        Set<Target> targets = new HashSet<>();
        Set<ExpectedViolation> broken = new HashSet<>();
        for (int turn = 0; broken.size() < violations; turn++) {
            if (waiting.stream().allMatch(Deque::isEmpty)) {
                throw new IllegalArgumentException("the placement allows only " + broken.size()
                        + " violations at once, not " + violations + ": give more --nodes and --pods");
            }
            Optional.ofNullable(waiting.get(turn % waiting.size()).poll())
                    .filter(it ->
                            !targets.contains(it.target()) && Collections.disjoint(it.expectedViolation(), broken))
                    .ifPresent(it -> {
                        together.add(it);
                        targets.add(it.target());
                        broken.addAll(it.expectedViolation());
                    });
        }
        return List.copyOf(together);
    }

    /**
     * Returns the first waiting change that is independent of all changes in {@code last}, and moves it to the end of
     * the queue {@code waiting}.
     */
    private static PlannedChange take(RuleKind kind, List<PlannedChange> waiting, List<PlannedChange> last) {
        for (int i = 0; i < waiting.size(); i++) {
            PlannedChange candidate = waiting.get(i);
            if (last.stream().noneMatch(candidate::meets)) {
                waiting.remove(i);
                waiting.add(candidate);
                return candidate;
            }
        }
        throw new IllegalArgumentException("the placement allows too few changes of " + kind.label() + " ("
                + waiting.size() + "): give more --nodes and --pods");
    }

    private static List<PlannedChange> ssds(List<PlacedPod> pods) {
        return by(pods, WorkloadRole.SSD, PlacedPod::node).entrySet().stream()
                .map(on -> change(
                        new Target.OfNode(on.getKey()),
                        "disk",
                        "\"hdd\"",
                        "\"ssd\"",
                        RuleKind.NODE_AFFINITY,
                        on.getValue()))
                .toList();
    }

    private static List<PlannedChange> noises(List<PlacedPod> pods) {
        Map<String, List<PlacedPod>> plain = by(pods, WorkloadRole.PLAIN, PlannedChanges::namespaceAndNode);
        return by(pods, WorkloadRole.APART, PlannedChanges::namespaceAndNode).entrySet().stream()
                .filter(on -> plain.containsKey(on.getKey()))
                .map(on -> change(
                        target(plain.getOrDefault(on.getKey(), List.of()).getFirst()),
                        "noisy",
                        "\"yes\"",
                        "null",
                        RuleKind.POD_ANTI_AFFINITY,
                        on.getValue()))
                .toList();
    }

    private static List<PlannedChange> caches(List<PlacedPod> pods) {
        Map<String, List<PlacedPod>> caches = by(pods, WorkloadRole.CACHE, PlannedChanges::blockAndZone);
        return by(pods, WorkloadRole.NEAR, PlannedChanges::blockAndZone).entrySet().stream()
                .map(in -> change(
                        target(only(caches.getOrDefault(in.getKey(), List.of()), in.getKey())),
                        "serves",
                        "\"no\"",
                        "\"yes\"",
                        RuleKind.POD_AFFINITY,
                        in.getValue()))
                .toList();
    }

    private static PlacedPod only(List<PlacedPod> caches, String where) {
        if (caches.size() != 1) {
            throw new IllegalArgumentException("there are " + caches.size() + " caches in " + where + ", not one");
        }
        return caches.getFirst();
    }

    private static List<PlannedChange> skews(List<PlacedPod> pods) {
        Map<String, List<PlacedPod>> plain = by(pods, WorkloadRole.PLAIN, PlannedChanges::namespaceAndZone);
        List<PlannedChange> skews = new ArrayList<>();
        by(pods, WorkloadRole.EVEN, pod -> Integer.toString(pod.block())).forEach((block, ofBlock) -> {
            Map<String, List<PlacedPod>> zones = by(ofBlock, WorkloadRole.EVEN, PlacedPod::zone);
            int fewest = zones.values().stream().mapToInt(List::size).min().orElseThrow();
            zones.forEach((zone, inZone) -> {
                List<PlacedPod> free = plain.getOrDefault(namespaceAndZone(inZone.getFirst()), List.of());
                if (inZone.size() == fewest + 1 && !free.isEmpty()) {
                    // A different pod for each block, if possible, because a pod has only one workload's label at a
                    // time.
                    PlacedPod joining = free.get(Integer.parseInt(block) % free.size());
                    skews.add(change(
                            target(joining),
                            "even",
                            "\"even-" + block + "\"",
                            "null",
                            RuleKind.TOPOLOGY_SPREAD,
                            inZone));
                }
            });
        });
        return skews;
    }

    private static Target target(PlacedPod pod) {
        return new Target.OfPod(pod.namespace(), pod.name());
    }

    private static String blockAndZone(PlacedPod pod) {
        return pod.block() + " " + pod.zone();
    }

    private static String namespaceAndNode(PlacedPod pod) {
        return pod.namespace() + " " + pod.node();
    }

    private static String namespaceAndZone(PlacedPod pod) {
        return pod.namespace() + " " + pod.zone();
    }

    private static Map<String, List<PlacedPod>> by(
            Collection<PlacedPod> pods, WorkloadRole workloadRole, Function<PlacedPod, String> key) {
        Predicate<PlacedPod> ofRole = pod -> pod.workloadRole() == workloadRole;
        return pods.stream().filter(ofRole).collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    private static PlannedChange change(
            Target target, String label, String breaking, String healing, RuleKind rule, List<PlacedPod> owners) {
        return new PlannedChange(
                target,
                patch(label, breaking),
                patch(label, healing),
                owners.stream()
                        .map(owner -> new ExpectedViolation(owner.uid(), rule))
                        .collect(Collectors.toSet()));
    }

    private static String patch(String label, String json) {
        return "{\"metadata\":{\"labels\":{\"" + label + "\":" + json + "}}}";
    }
}

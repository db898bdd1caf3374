package dev.holdfast.it.bench.cluster;

import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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
    private final List<PlacedPod> pods;
    private final Map<RuleKind, List<PlannedChange>> all = new EnumMap<>(RuleKind.class);

    PlannedChanges(List<PlacedPod> pods) {
        this.pods = pods;
        all.put(RuleKind.NODE_AFFINITY, ssds());
        all.put(RuleKind.POD_ANTI_AFFINITY, noises());
        all.put(RuleKind.POD_AFFINITY, caches());
        all.put(RuleKind.TOPOLOGY_SPREAD, skews());
    }

    /**
     * {@return changes that break rules of the given kinds in turn, all of which may be in effect at the same time} A
     * kind of which no change is left is passed over. Within a kind the order is random.
     *
     * @param most how many changes to return at most
     */
    public List<PlannedChange> independent(List<RuleKind> kinds, int most, Random random) {
        List<Iterator<PlannedChange>> waiting = new ArrayList<>();
        for (RuleKind kind : kinds) {
            List<PlannedChange> shuffled = new ArrayList<>(all.getOrDefault(kind, List.of()));
            Collections.shuffle(shuffled, random);
            waiting.add(shuffled.iterator());
        }
        List<PlannedChange> chosen = new ArrayList<>();
        Set<PlannedChange.Target> targets = new HashSet<>();
        Set<ExpectedViolation> broken = new HashSet<>();
        while (chosen.size() < most && waiting.stream().anyMatch(Iterator::hasNext)) {
            for (Iterator<PlannedChange> ofKind : waiting) {
                if (ofKind.hasNext()) {
                    PlannedChange next = ofKind.next();
                    if (!targets.contains(next.target()) && Collections.disjoint(broken, next.violations())) {
                        chosen.add(next);
                        targets.add(next.target());
                        broken.addAll(next.violations());
                    }
                }
            }
        }
        return List.copyOf(chosen.subList(0, Math.min(most, chosen.size())));
    }

    private List<PlannedChange> ssds() {
        return by(WorkloadRole.SSD, PlacedPod::nodeName).entrySet().stream()
                .map(on -> change(
                        new PlannedChange.Target(Optional.empty(), on.getKey()),
                        "disk",
                        "\"hdd\"",
                        "\"ssd\"",
                        RuleKind.NODE_AFFINITY,
                        on.getValue()))
                .toList();
    }

    private List<PlannedChange> noises() {
        Function<PlacedPod, String> where = pod -> pod.namespace() + " " + pod.nodeName();
        Map<String, List<PlacedPod>> plain = by(WorkloadRole.PLAIN, where);
        return by(WorkloadRole.APART, where).entrySet().stream()
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

    private List<PlannedChange> caches() {
        Function<PlacedPod, String> where = pod -> pod.block() + " " + pod.zone();
        Map<String, List<PlacedPod>> caches = by(WorkloadRole.CACHE, where);
        return by(WorkloadRole.NEAR, where).entrySet().stream()
                .map(in -> change(
                        target(caches.getOrDefault(in.getKey(), List.of()).getFirst()),
                        "serves",
                        "\"no\"",
                        "\"yes\"",
                        RuleKind.POD_AFFINITY,
                        in.getValue()))
                .toList();
    }

    private List<PlannedChange> skews() {
        Function<PlacedPod, String> where = pod -> pod.namespace() + " " + pod.zone();
        Map<String, List<PlacedPod>> plain = by(WorkloadRole.PLAIN, where);
        List<PlannedChange> skews = new ArrayList<>();
        by(WorkloadRole.EVEN, pod -> pod.block() + " " + pod.zone()).values().forEach(inZone -> {
            PlacedPod one = inZone.getFirst();
            List<PlacedPod> free = plain.getOrDefault(where.apply(one), List.of());
            if (inZone.size() > WorkloadRole.EVEN.replicas() / PlacedPod.ZONES && !free.isEmpty()) {
                // A different pod for each block, if possible, because a pod has only one workload's label at a time.
                PlacedPod joining = free.get(one.block() % free.size());
                String even = "\"even-" + one.block() + "\"";
                skews.add(change(target(joining), "even", even, "null", RuleKind.TOPOLOGY_SPREAD, inZone));
            }
        });
        return skews;
    }

    private static PlannedChange.Target target(PlacedPod pod) {
        return new PlannedChange.Target(Optional.of(pod.namespace()), pod.name());
    }

    private Map<String, List<PlacedPod>> by(WorkloadRole role, Function<PlacedPod, String> key) {
        return pods.stream()
                .filter(pod -> pod.role() == role)
                .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    private static PlannedChange change(
            PlannedChange.Target target,
            String label,
            String breaking,
            String healing,
            RuleKind rule,
            List<PlacedPod> owners) {
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

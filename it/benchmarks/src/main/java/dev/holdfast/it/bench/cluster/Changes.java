package dev.holdfast.it.bench.cluster;

import dev.holdfast.it.bench.cluster.Change.Target;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The changes that a placement of the pods allows, of each kind of rule.
 *
 * <p>Node affinity: a node loses its SSD. Anti-affinity: a plain pod becomes noisy. Affinity: the cache of a zone stops
 * serving. Spread: a plain pod counts with a workload in a zone that has one more than others already. What each breaks
 * is the same whatever others are under way, unless they {@link Change#meets meet}.
 */
public final class Changes {
    private final Map<RuleKind, List<Change>> all = new EnumMap<>(RuleKind.class);

    private Changes(List<Placed> pods) {
        all.put(RuleKind.NODE_AFFINITY, ssds(pods));
        all.put(RuleKind.POD_ANTI_AFFINITY, noises(pods));
        all.put(RuleKind.POD_AFFINITY, caches(pods));
        all.put(RuleKind.TOPOLOGY_SPREAD, skews(pods));
    }

    static Changes of(List<Placed> pods) {
        return new Changes(pods);
    }

    /**
     * {@return changes in turns of the kinds given, each kind in a random order, and from its beginning again when it is
     * used up}
     *
     * @param apart so many changes one after the other have nothing to do with each other
     * @throws IllegalArgumentException in one line, if there are too few of a kind
     */
    public List<Change> inTurns(List<RuleKind> kinds, int count, int apart, Random random) {
        Map<RuleKind, List<Change>> waiting = new EnumMap<>(RuleKind.class);
        kinds.forEach(kind -> {
            List<Change> shuffled = new ArrayList<>(all.getOrDefault(kind, List.of()));
            Collections.shuffle(shuffled, random);
            waiting.put(kind, shuffled);
        });
        List<Change> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RuleKind kind = kinds.get(i % kinds.size());
            List<Change> last = turns.subList(Math.max(0, i - apart + 1), i);
            turns.add(take(kind, waiting.getOrDefault(kind, List.of()), last));
        }
        return List.copyOf(turns);
    }

    /** The one taken goes to the end. */
    private static Change take(RuleKind kind, List<Change> waiting, List<Change> last) {
        for (int i = 0; i < waiting.size(); i++) {
            Change candidate = waiting.get(i);
            if (last.stream().noneMatch(candidate::meets)) {
                waiting.remove(i);
                waiting.add(candidate);
                return candidate;
            }
        }
        throw new IllegalArgumentException("the placement allows too few changes of " + kind.label() + " ("
                + waiting.size() + "): give more --nodes and --pods");
    }

    private static List<Change> ssds(List<Placed> pods) {
        return by(pods, Role.SSD, Placed::node).entrySet().stream()
                .map(on -> change(
                        new Target.OfNode(on.getKey()),
                        "disk",
                        "\"hdd\"",
                        "\"ssd\"",
                        RuleKind.NODE_AFFINITY,
                        on.getValue()))
                .toList();
    }

    private static List<Change> noises(List<Placed> pods) {
        Map<String, List<Placed>> plain = by(pods, Role.PLAIN, Changes::namespaceAndNode);
        return by(pods, Role.APART, Changes::namespaceAndNode).entrySet().stream()
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

    private static List<Change> caches(List<Placed> pods) {
        Map<String, List<Placed>> caches = by(pods, Role.CACHE, Changes::blockAndZone);
        return by(pods, Role.NEAR, Changes::blockAndZone).entrySet().stream()
                .map(in -> change(
                        target(only(caches.getOrDefault(in.getKey(), List.of()), in.getKey())),
                        "serves",
                        "\"no\"",
                        "\"yes\"",
                        RuleKind.POD_AFFINITY,
                        in.getValue()))
                .toList();
    }

    private static Placed only(List<Placed> caches, String where) {
        if (caches.size() != 1) {
            throw new IllegalArgumentException("there are " + caches.size() + " caches in " + where + ", not one");
        }
        return caches.getFirst();
    }

    private static List<Change> skews(List<Placed> pods) {
        Map<String, List<Placed>> plain = by(pods, Role.PLAIN, Changes::namespaceAndZone);
        List<Change> skews = new ArrayList<>();
        by(pods, Role.EVEN, pod -> Integer.toString(pod.block())).forEach((block, ofBlock) -> {
            Map<String, List<Placed>> zones = by(ofBlock, Role.EVEN, Placed::zone);
            int fewest = zones.values().stream().mapToInt(List::size).min().orElseThrow();
            zones.forEach((zone, inZone) -> {
                List<Placed> free = plain.getOrDefault(namespaceAndZone(inZone.getFirst()), List.of());
                if (inZone.size() == fewest + 1 && !free.isEmpty()) {
                    // Another plain pod for each block, as far as possible: a pod can count with only one.
                    Placed joining = free.get(Integer.parseInt(block) % free.size());
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

    private static Target target(Placed pod) {
        return new Target.OfPod(pod.namespace(), pod.name());
    }

    private static String blockAndZone(Placed pod) {
        return pod.block() + " " + pod.zone();
    }

    private static String namespaceAndNode(Placed pod) {
        return pod.namespace() + " " + pod.node();
    }

    private static String namespaceAndZone(Placed pod) {
        return pod.namespace() + " " + pod.zone();
    }

    private static Map<String, List<Placed>> by(Collection<Placed> pods, Role role, Function<Placed, String> key) {
        Predicate<Placed> ofRole = pod -> pod.role() == role;
        return pods.stream().filter(ofRole).collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    private static Change change(
            Target target, String label, String breaking, String healing, RuleKind rule, List<Placed> owners) {
        return new Change(
                target,
                patch(label, breaking),
                patch(label, healing),
                owners.stream().map(owner -> new Broken(owner.uid(), rule)).collect(Collectors.toSet()));
    }

    private static String patch(String label, String json) {
        return "{\"metadata\":{\"labels\":{\"" + label + "\":" + json + "}}}";
    }
}

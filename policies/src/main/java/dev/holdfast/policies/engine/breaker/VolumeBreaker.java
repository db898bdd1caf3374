package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.breaker.RecentViolations.NamespaceCount;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The breaker for all enforced rules together: it opens when a large share of all bound pods broke a rule within 90 s
 * and still violate one. Moving pods would not repair the common cause. The breaker closes when enough of these pods
 * violate no rule any more, or when a user acknowledges the opening. Audited violations do not count: no pod is evicted
 * for them, so a user who audits a rule that most pods break must not stop the evictions of others.
 *
 * <p>The breaker holds all evictions only if these pods are too many even without the {@linkplain Tenants tenant} that
 * has most of them. If the team of that tenant is unknown, the breaker leaves out two tenants, because both may have
 * one owner. Otherwise the breaker holds the namespaces of the first tenant, and those of the second too if the pods
 * are too many without the first alone. So no tenant can stop what others enforce, not even with two namespaces. The
 * pods that are not held never exceed the thresholds.
 *
 * <p>Pods of one namespace that violate the same spread constraint count as one pod. The reason is that a single extra
 * pod makes every pod in its domain violate it.
 *
 * <p>Example: 4,000 pods are bound, and the thresholds are the default ones, so more than 200 pods are too many. Within
 * 90 s, 150 pods of namespace shop and 100 pods of other namespaces break a rule: shop is held. If 101 more pods of
 * namespace bank break one, the 201 pods without shop are too many: bank is held as well. If 101 more pods of a third
 * namespace break one, the 201 pods without shop and bank are too many, and all evictions are held.
 */
final class VolumeBreaker {
    private static final Duration WITHIN = Duration.ofSeconds(90);
    private static final int PERCENT = 100;

    /** The number of tenants left out if the team of the first is unknown, because both may have one owner. */
    private static final int OF_ONE_OWNER = 2;

    private static final String WHAT = "pods";

    private final LiveCluster cluster;
    private final BreakerSettings settings;
    private final Tenants tenants;

    /** The violations that began within the last 90 s or, while the breaker is open for all, since it opened. */
    private final RecentViolations recent = new RecentViolations();

    /**
     * Older violations of pods in namespaces for which the breaker is open. These violations must heal before the
     * breaker closes, and count for nothing else: what a namespace broke long ago shall not hold others.
     */
    private final RecentViolations held = new RecentViolations();

    private Optional<BreakerOpening> open = Optional.empty();
    private final NavigableMap<String, NamespaceOpening> openNamespaces = new TreeMap<>();

    VolumeBreaker(LiveCluster cluster, BreakerSettings settings, Tenants tenants) {
        this.cluster = cluster;
        this.settings = settings;
        this.tenants = tenants;
    }

    /**
     * @param others how many pods of namespaces that are not held counted when the breaker opened for the namespace
     * @param bound how many pods were bound at that time, so that the breaker can close although pods are deleted
     */
    private record NamespaceOpening(BreakerOpening opening, int others, int bound) {
        /** {@return the same opening after another namespace, of which this many pods count, is held as well} */
        NamespaceOpening without(int pods) {
            return new NamespaceOpening(opening, Math.max(0, others - pods), bound);
        }
    }

    /**
     * Counts a violation that begins.
     *
     * @param namespace the namespace of the pod
     * @param pod the UID of the pod; for a spread violation one text for all pods that violate the constraint
     */
    void begin(Violation violation, String namespace, String pod) {
        forgetOlder(violation.since());
        recent.add(violation, namespace, pod);
    }

    private void forgetOlder(Instant now) {
        if (open.isEmpty()) {
            recent.removeBefore(now.minus(WITHIN), openNamespaces.keySet(), held);
        }
    }

    Optional<RememberedBrakes.Opening> remembered() {
        return open.map(BreakerOpening::remembered);
    }

    List<RememberedBrakes.NamespaceOpening> rememberedNamespaces() {
        return openNamespaces.entrySet().stream()
                .map(one -> new RememberedBrakes.NamespaceOpening(
                        one.getKey(),
                        one.getValue().opening().remembered(),
                        one.getValue().others(),
                        one.getValue().bound()))
                .toList();
    }

    /**
     * Takes over the openings that an earlier process stored. That process did not store which violations it counted,
     * so all present ones must heal. A breaker that this process opened stays open.
     *
     * @param written when the earlier process last remembered something
     */
    void recall(RememberedBrakes remembered, Instant written, Collection<Counted> present, Instant now) {
        Map<String, NamespaceOpening> own = new TreeMap<>(openNamespaces);
        own.values().removeIf(it -> !it.opening().isAfter(written));
        Optional<BreakerOpening> ownOfAll = open.filter(it -> it.isAfter(written));
        open = remembered.volume().map(BreakerOpening::of).or(() -> ownOfAll);
        openNamespaces.clear();
        openNamespaces.putAll(own);
        for (RememberedBrakes.NamespaceOpening one : remembered.volumes()) {
            BreakerOpening opening = BreakerOpening.of(one.opening());
            openNamespaces.put(one.namespace(), new NamespaceOpening(opening, one.others(), one.bound()));
        }
        if (open.isPresent()) {
            count(present, now);
        } else {
            present.stream()
                    .filter(one -> openNamespaces.containsKey(one.namespace()))
                    .forEach(one -> held.add(one.violation(), one.namespace(), one.pod()));
        }
    }

    /** {@return a report of each open breaker, for a replica that begins to lead} */
    List<BreakerReport> takenOver() {
        List<BreakerReport> reports = new ArrayList<>();
        openNamespaces.forEach((namespace, one) ->
                reports.add(one.opening().takenOver(Reason.VOLUME_BREAKER, new BreakerScope.OneNamespace(namespace))));
        open.ifPresent(opening -> reports.add(opening.takenOver(Reason.VOLUME_BREAKER, new BreakerScope.Everything())));
        return reports;
    }

    /** Counts violations as if all began now, because nothing is known about the time before. */
    void count(Collection<Counted> present, Instant now) {
        present.forEach(one -> recent.add(one.violation(), one.namespace(), one.pod(), now));
    }

    /**
     * A violation and the pod that it counts for.
     *
     * @param namespace the namespace of the pod
     * @param pod as in {@link #begin}
     */
    record Counted(Violation violation, String namespace, String pod) {}

    /** Stops counting a violation; does nothing if it was not counted. */
    void end(ViolationKey key) {
        recent.remove(key);
        held.remove(key);
    }

    /** {@return whether the breaker should be checked, because it may have to open or close} */
    boolean isStale() {
        return isTooMuchOfAll() != open.isPresent()
                || toOpen().isPresent()
                || mayOpen()
                || openNamespaces.keySet().stream().anyMatch(this::hasHealed);
    }

    private boolean wouldOpen() {
        return (open.isEmpty() && isTooMuchOfAll()) || toOpen().isPresent();
    }

    /** {@return whether the breaker would have to open if violations that no node can heal now counted too} */
    private boolean mayOpen() {
        return open.isEmpty() && recent.muted() > 0 && isTooMuch(recent.pods() + recent.muted());
    }

    private boolean isTooMuch(int pods) {
        return isTooMuch(pods, cluster.boundPods());
    }

    private boolean isTooMuch(int pods, int bound) {
        return pods >= settings.volumePods() && (long) pods * PERCENT > (long) bound * settings.volumePercent();
    }

    /** {@return whether the pods are too many even without the tenants that have most of them} */
    private boolean isTooMuchOfAll() {
        if (!isTooMuch(recent.pods())) {
            return false;
        }
        int left = recent.pods();
        for (List<NamespaceCount> tenant : largest()) {
            left -= pods(tenant);
        }
        return isTooMuch(left);
    }

    /** {@return the namespaces of the one or two tenants that have most pods, the largest tenant first} */
    private List<List<NamespaceCount>> largest() {
        Map<Tenants.Tenant, List<NamespaceCount>> byTenant = new LinkedHashMap<>();
        recent.largestFirst()
                .forEach(one -> byTenant.computeIfAbsent(tenants.of(one.namespace()), _ -> new ArrayList<>())
                        .add(one));
        List<Map.Entry<Tenants.Tenant, List<NamespaceCount>>> largest = new ArrayList<>(byTenant.entrySet());
        largest.sort(Comparator.comparingInt(one -> -pods(one.getValue())));
        boolean ofKnownTeam = !largest.isEmpty() && largest.getFirst().getKey().isTeam();
        return largest.stream()
                .limit(ofKnownTeam ? 1 : OF_ONE_OWNER)
                .map(Map.Entry::getValue)
                .toList();
    }

    private static int pods(List<NamespaceCount> namespaces) {
        return namespaces.stream().mapToInt(NamespaceCount::pods).sum();
    }

    /** {@return the next namespace for which the breaker must open; empty if it is open for all or need not open} */
    private Optional<NamespaceCount> toOpen() {
        if (!isTooMuch(recent.pods()) || isTooMuchOfAll()) {
            return Optional.empty();
        }
        int left = recent.pods();
        for (List<NamespaceCount> tenant : largest()) {
            Optional<NamespaceCount> next = tenant.stream()
                    .filter(one -> !openNamespaces.containsKey(one.namespace()))
                    .findFirst();
            if (isTooMuch(left) && next.isPresent()) {
                return next;
            }
            left -= pods(tenant);
        }
        return Optional.empty();
    }

    private boolean hasHealed(String namespace) {
        NamespaceOpening opening = openNamespaces.get(namespace);
        int own = recent.pods(namespace) + held.pods(namespace);
        return opening != null
                && (own == 0 || !isTooMuch(own + opening.others(), Math.max(opening.bound(), cluster.boundPods())));
    }

    /**
     * Opens or closes the breaker, if necessary.
     *
     * @param uncounted a test for violations that never count, as in {@link Breakers#update}
     * @param impossible a test for violations that do not count now, as there
     * @param acknowledged the ids that users have acknowledged
     * @return the reports that the breaker opened or closed, for all namespaces or for one
     */
    List<BreakerReport> update(
            Predicate<ViolationKey> uncounted,
            Predicate<ViolationKey> impossible,
            Set<String> acknowledged,
            Instant now) {
        List<BreakerReport> reports = new ArrayList<>(acknowledge(acknowledged));
        forgetOlder(now);
        if (wouldOpen()) {
            // Checked only when the breaker would open, because the check takes longer than counting.
            recent.removeAll(uncounted);
        }
        if (wouldOpen() || mayOpen()) {
            recent.mute(impossible);
        }
        if (open.isPresent() && !isTooMuchOfAll()) {
            reports.add(closed(
                    BrakeReport.Change.HEALED, "enough of the pods that broke a rule at once violate none any more"));
            forgetOlder(now);
        } else if (open.isEmpty() && isTooMuchOfAll()) {
            reports.add(opened(now));
        }
        openNamespaces.keySet().stream()
                .filter(this::hasHealed)
                .toList()
                .forEach(namespace -> reports.add(closed(
                        namespace,
                        BrakeReport.Change.HEALED,
                        "enough of the pods in namespace " + namespace
                                + " that broke a rule at once violate none any more")));
        for (Optional<NamespaceCount> next = toOpen(); next.isPresent(); next = toOpen()) {
            reports.add(opened(next.get(), now));
        }
        return reports;
    }

    /** Closes acknowledged breakers. An acknowledgement for all namespaces counts for each of them. */
    private List<BreakerReport> acknowledge(Set<String> acknowledged) {
        boolean all = open.filter(it -> acknowledged.contains(it.id())).isPresent();
        List<BreakerReport> reports = new ArrayList<>();
        for (String namespace : List.copyOf(openNamespaces.keySet())) {
            if (all || acknowledged.contains(opening(namespace).id())) {
                recent.removeNamespace(namespace);
                reports.add(closed(
                        namespace,
                        BrakeReport.Change.ACKNOWLEDGED,
                        "a user acknowledged that many pods in namespace " + namespace + " broke a rule at once"));
            }
        }
        if (all) {
            recent.clear();
            held.clear();
            reports.add(
                    closed(BrakeReport.Change.ACKNOWLEDGED, "a user acknowledged that many pods broke a rule at once"));
        }
        return reports;
    }

    private BreakerReport opened(Instant now) {
        String id = BrakeId.of(WHAT, now);
        BreakerOpening opening = new BreakerOpening(id, message(recent.pods(), "", recent.causes(), id));
        open = Optional.of(opening);
        return opening.opened(Reason.VOLUME_BREAKER, new BreakerScope.Everything());
    }

    private BreakerReport opened(NamespaceCount count, Instant now) {
        String namespace = count.namespace();
        String id = BrakeId.of(WHAT + "-" + namespace, now);
        BreakerOpening opening = new BreakerOpening(
                id, message(count.pods(), " in namespace " + namespace, recent.causes(namespace), id));
        int others = recent.pods() - count.pods();
        for (String held : openNamespaces.keySet()) {
            others -= recent.pods(held);
        }
        openNamespaces.replaceAll((_, earlier) -> earlier.without(count.pods()));
        openNamespaces.put(namespace, new NamespaceOpening(opening, Math.max(0, others), cluster.boundPods()));
        return opening.opened(Reason.VOLUME_BREAKER, new BreakerScope.OneNamespace(namespace));
    }

    private String message(int pods, String where, String causes, String id) {
        return pods + " of " + cluster.boundPods() + " bound pods broke a rule" + where + " within "
                + WITHIN.toSeconds() + " s (" + causes + "). Moving pods does not repair that."
                + " No pod" + where + " is evicted until fewer of these pods violate a rule,"
                + " or until you acknowledge that this is intended: " + BrakeId.acknowledging(id, settings);
    }

    private BreakerReport closed(BrakeReport.Change change, String why) {
        BreakerOpening opening = open.orElseThrow();
        open = Optional.empty();
        return opening.closed(Reason.VOLUME_BREAKER, new BreakerScope.Everything(), change, why);
    }

    private BreakerReport closed(String namespace, BrakeReport.Change change, String why) {
        BreakerOpening opening = opening(namespace);
        openNamespaces.remove(namespace);
        held.removeNamespace(namespace);
        return opening.closed(Reason.VOLUME_BREAKER, new BreakerScope.OneNamespace(namespace), change, why);
    }

    private BreakerOpening opening(String namespace) {
        return Optional.ofNullable(openNamespaces.get(namespace)).orElseThrow().opening();
    }

    /** {@return the hold of all violations of a namespace; empty while the breaker is closed for the namespace} */
    Optional<Hold> against(String namespace) {
        return open.or(() -> Optional.ofNullable(openNamespaces.get(namespace)).map(NamespaceOpening::opening))
                .map(opening -> opening.hold(Reason.VOLUME_BREAKER));
    }

    /** {@return the ids with which users acknowledge that the breaker is open; empty while it is closed} */
    List<String> ids() {
        List<String> ids = new ArrayList<>();
        open.ifPresent(opening -> ids.add(opening.id()));
        openNamespaces.values().forEach(it -> ids.add(it.opening().id()));
        return ids;
    }

    /** {@return the number of violations that the breaker counts} */
    int size() {
        return recent.size() + held.size();
    }
}

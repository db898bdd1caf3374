package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The breaker for all enforced rules together: it opens when a large share of all bound pods broke a rule within 90 s
 * and still violate one. Moving pods would not repair the common cause. The breaker closes when enough of these pods
 * violate no rule any more, or when a user acknowledges the opening. Audited violations do not count: no pod is evicted
 * for them, so a user who audits a rule that most pods break must not stop the evictions of others.
 *
 * <p>Pods of one namespace that violate the same spread constraint count as one pod. The reason is that a single extra
 * pod makes every pod in its domain violate it.
 *
 * <p>Example: 4,000 pods are bound, and the thresholds are the default ones. The breaker opens when the 201st pod
 * breaks a rule within 90 s and all 201 still violate one.
 */
final class VolumeBreaker {
    private static final Duration WITHIN = Duration.ofSeconds(90);
    private static final int PERCENT = 100;
    private static final int NAMED_CAUSES = 3;
    private static final String WHAT = "pods";

    private final LiveCluster cluster;
    private final BreakerSettings settings;

    /**
     * The violations that began within the last 90 s or, while the breaker is open, since 90 s before it opened. The
     * latest is at the end.
     */
    private final SequencedMap<ViolationKey, Began> began = new LinkedHashMap<>();

    /** The violations in {@link #began}, counted by pod. */
    private final ViolatingPodCount counted = new ViolatingPodCount();

    private Optional<BreakerOpening> open = Optional.empty();

    VolumeBreaker(LiveCluster cluster, BreakerSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    private record Began(Instant at, String cause) {}

    /**
     * Counts a violation that begins.
     *
     * @param pod the UID of the pod; for a spread violation {@code namespace/rule}, so that all pods that violate the
     *     constraint count as one
     */
    void begin(Violation violation, String pod) {
        forgetOlder(violation.since());
        began.put(
                violation.key(), new Began(violation.since(), violation.cause().label()));
        counted.add(violation.key(), pod);
    }

    private void forgetOlder(Instant now) {
        Instant over = now.minus(WITHIN);
        while (open.isEmpty()
                && !began.isEmpty()
                && began.firstEntry().getValue().at().isBefore(over)) {
            end(began.firstEntry().getKey());
        }
    }

    /** Stops counting a violation; does nothing if it was not counted. */
    void end(ViolationKey key) {
        began.remove(key);
        counted.remove(key);
    }

    /** {@return whether the breaker should be checked, because it may have to open or close} */
    boolean isStale() {
        return isTooMuch() != open.isPresent();
    }

    private boolean isTooMuch() {
        int broken = counted.pods();
        return broken >= settings.volumePods()
                && (long) broken * PERCENT > (long) cluster.boundPods() * settings.volumePercent();
    }

    /**
     * Opens or closes the breaker, if necessary.
     *
     * @param byNewDomain a test for spread violations that only a new domain caused, for example a zone that was added
     *     after the pod was bound; they do not count
     * @param acknowledged the ids that users have acknowledged
     * @return the report that the breaker opened or closed; empty if it did neither
     */
    Optional<BreakerReport> update(Predicate<ViolationKey> byNewDomain, Set<String> acknowledged, Instant now) {
        if (open.filter(it -> acknowledged.contains(it.id())).isPresent()) {
            began.clear();
            counted.clear();
            return Optional.of(
                    closed(BrakeReport.Change.ACKNOWLEDGED, "a user acknowledged that many pods broke a rule at once"));
        }
        forgetOlder(now);
        if (isTooMuch() && open.isEmpty()) {
            // Checked only when the breaker would open, because the check takes longer than counting.
            counted.violations().stream().filter(byNewDomain).forEach(this::end);
        }
        if (isTooMuch() && open.isEmpty()) {
            return Optional.of(opened(now));
        }
        return open.isPresent() && !isTooMuch()
                ? Optional.of(closed(
                        BrakeReport.Change.HEALED,
                        "enough of the pods that broke a rule at once violate none any more"))
                : Optional.empty();
    }

    private BreakerReport opened(Instant now) {
        String id = BreakerOpening.newId(WHAT, now);
        String message = counted.pods() + " of " + cluster.boundPods() + " bound pods broke a rule within "
                + WITHIN.toSeconds() + " s (" + causes() + "). Moving pods does not repair that."
                + " No pod is evicted until fewer of these pods violate a rule,"
                + " or until you acknowledge that this is intended: "
                + BreakerOpening.acknowledging(id, settings);
        BreakerOpening opening = new BreakerOpening(id, message);
        open = Optional.of(opening);
        return opening.opened(Reason.VOLUME_BREAKER, Optional.empty());
    }

    /** {@return the most frequent causes with their counts: {@code NodeLabelChanged 190, NodeLeft 11}} */
    private String causes() {
        Map<String, Integer> counts = new TreeMap<>();
        began.values().forEach(one -> counts.merge(one.cause(), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED_CAUSES)
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }

    private BreakerReport closed(BrakeReport.Change change, String why) {
        BreakerOpening opening = open.orElseThrow();
        open = Optional.empty();
        return opening.closed(Reason.VOLUME_BREAKER, Optional.empty(), change, why);
    }

    /** {@return the hold of all violations; empty while the breaker is closed} */
    Optional<Hold> against() {
        return open.map(opening -> opening.hold(Reason.VOLUME_BREAKER));
    }

    /** {@return the id with which users acknowledge the open breaker; empty while it is closed} */
    Optional<String> id() {
        return open.map(BreakerOpening::id);
    }

    /** {@return the number of violations that the breaker counts} */
    int size() {
        return began.size();
    }
}

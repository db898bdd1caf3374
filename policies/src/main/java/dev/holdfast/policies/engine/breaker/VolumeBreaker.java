package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BrakeSettings;
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
 * Opens for everything when a great share of all pods broke a rule within a short time: something is wrong then that no
 * move mends. It stays open until fewer of these pods break a rule, or somebody acknowledges that this is meant.
 *
 * <p>All pods of a namespace for which one spread constraint is broken count as one: a single pod too many breaks it for
 * each in its domain.
 *
 * <p>With 4,000 bound pods and the defaults it opens with the 201st pod that breaks a rule within 90 s and still does.
 */
final class VolumeBreaker {
    private static final Duration WITHIN = Duration.ofSeconds(90);
    private static final int PERCENT = 100;
    private static final int NAMED_CAUSES = 3;
    private static final String WHAT = "pods";

    private final LiveCluster cluster;
    private final BrakeSettings settings;

    /** The violations that began within a short time, or since shortly before it opened, the last one at the end. */
    private final SequencedMap<ViolationKey, Began> began = new LinkedHashMap<>();

    /** The same, by pods. */
    private final ViolatingPodCount counted = new ViolatingPodCount();

    private Optional<BreakerOpening> open = Optional.empty();

    VolumeBreaker(LiveCluster cluster, BrakeSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    private record Began(Instant at, String cause) {}

    /**
     * Counts a violation that begins.
     *
     * @param pod which it counts as a violation of
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

    /** Counts a violation no more; nothing happens if it was not counted. */
    void end(ViolationKey key) {
        began.remove(key);
        counted.remove(key);
    }

    /** {@return whether what was seen since the last look may open or close it} */
    boolean isStale() {
        return isTooMuch() != open.isPresent();
    }

    private boolean isTooMuch() {
        int broken = counted.pods();
        return broken >= settings.volumePods()
                && (long) broken * PERCENT > (long) cluster.boundPods() * settings.volumePercent();
    }

    /**
     * {@return that it opened or closed, if so}
     *
     * @param byNewDomain whether a violation is no sign of a storm, for it is there only since its pod is older than a domain
     * @param acknowledged the ids that somebody has taken note of
     */
    Optional<BreakerReport> look(Predicate<ViolationKey> byNewDomain, Set<String> acknowledged, Instant now) {
        if (open.filter(it -> acknowledged.contains(it.id())).isPresent()) {
            began.clear();
            counted.clear();
            return Optional.of(
                    closed(BrakeReport.Turn.ACKNOWLEDGED, "somebody acknowledged that many pods broke a rule at once"));
        }
        forgetOlder(now);
        if (isTooMuch() && open.isEmpty()) {
            // Asked of those alone who would open it: it takes longer than to count them.
            counted.violations().stream().filter(byNewDomain).forEach(this::end);
        }
        if (isTooMuch() && open.isEmpty()) {
            return Optional.of(opened(now));
        }
        return open.isPresent() && !isTooMuch()
                ? Optional.of(closed(BrakeReport.Turn.HEALED, "of the pods that broke a rule at once, fewer still do"))
                : Optional.empty();
    }

    private BreakerReport opened(Instant now) {
        String id = BreakerOpening.newId(WHAT, now);
        String message = counted.pods() + " of " + cluster.boundPods() + " bound pods broke a rule within "
                + WITHIN.toSeconds() + " s (" + causes() + "): no move mends that. Nothing is moved until fewer of them"
                + " are broken, or until it is acknowledged that this is meant: "
                + BreakerOpening.acknowledging(id, settings);
        BreakerOpening opening = new BreakerOpening(id, message);
        open = Optional.of(opening);
        return opening.opened(Reason.VOLUME_BREAKER, Optional.empty());
    }

    /** {@return the most frequent causes, with how often there was each: {@code NodeLabelChanged 190, NodeLeft 11}} */
    private String causes() {
        Map<String, Integer> counts = new TreeMap<>();
        began.values().forEach(one -> counts.merge(one.cause(), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED_CAUSES)
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }

    private BreakerReport closed(BrakeReport.Turn turn, String why) {
        BreakerOpening opening = open.orElseThrow();
        open = Optional.empty();
        return opening.closed(Reason.VOLUME_BREAKER, Optional.empty(), turn, why);
    }

    /** {@return what is against moving any pod} */
    Optional<Hold> against() {
        return open.map(opening -> opening.hold(Reason.VOLUME_BREAKER));
    }

    /** {@return the id it is open under} */
    Optional<String> id() {
        return open.map(BreakerOpening::id);
    }

    /** {@return how much is remembered} */
    int size() {
        return began.size();
    }
}

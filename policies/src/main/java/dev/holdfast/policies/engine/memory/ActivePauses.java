package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.Pause;
import dev.holdfast.policies.plan.conduct.WallClock;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All EnforcementPauses, and which of them apply now. The pauses that apply are determined again only when a pause
 * changes, starts or ends, or the wall clock changes.
 */
public final class ActivePauses {
    private final ClusterView cluster;
    private final Readiness readiness;
    private final Map<String, Pause> pauses = new TreeMap<>();

    private List<InForce> inForce = List.of();
    private Optional<Instant> foundAt = Optional.empty();
    private WallClock foundBy = WallClock.notCompared();
    private Optional<Instant> validUntil = Optional.empty();

    /** A pause that applies now, and the hold of the pods that it selects. */
    private record InForce(Pause pause, Hold hold) {}

    public ActivePauses(ClusterView cluster, Readiness readiness) {
        this.cluster = cluster;
        this.readiness = readiness;
    }

    public void put(Pause pause) {
        pauses.put(pause.name(), pause);
        foundAt = Optional.empty();
    }

    public void remove(String name) {
        pauses.remove(name);
        foundAt = Optional.empty();
    }

    /**
     * {@return the hold of a pod whose namespace is paused, by the pause that lasts longest; empty if no pause applies}
     */
    public Optional<Hold> against(Pod pod, Instant now) {
        update(now);
        // Almost always no pause applies.
        if (inForce.isEmpty()) {
            return Optional.empty();
        }
        Optional<Labels> labels = cluster.namespace(pod.namespace()).map(Namespace::labels);
        return inForce.stream()
                .filter(it -> it.pause().appliesTo(labels))
                .map(InForce::hold)
                .max(Comparator.comparing(hold -> hold.nextLook().orElse(Instant.MAX)));
    }

    /** {@return whether any pause applies now} */
    public boolean applyToAny(Instant now) {
        return count(now) > 0;
    }

    /** {@return the number of pauses that apply now} */
    public int count(Instant now) {
        update(now);
        return inForce.size();
    }

    /** {@return when the next pause starts or ends on schedule; empty if none does} */
    public Optional<Instant> nextChange(Instant now) {
        update(now);
        return validUntil;
    }

    private void update(Instant now) {
        WallClock wallClock = readiness.wallClock();
        boolean known = wallClock.equals(foundBy)
                && foundAt.filter(at -> !now.isBefore(at)).isPresent()
                && validUntil.filter(end -> !now.isBefore(end)).isEmpty();
        if (known) {
            return;
        }
        inForce = pauses.values().stream()
                .flatMap(pause -> pause.hold(wallClock, now).map(hold -> new InForce(pause, hold)).stream())
                .toList();
        validUntil = pauses.values().stream()
                .flatMap(pause -> pause.lasts(wallClock, now).stream())
                .min(Comparator.naturalOrder());
        foundAt = Optional.of(now);
        foundBy = wallClock;
    }
}

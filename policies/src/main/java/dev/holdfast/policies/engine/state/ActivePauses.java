package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All EnforcementPauses, and which of them apply now. The pauses that apply are determined again only when a pause
 * changes, starts or ends, or the wall clock changes.
 */
public final class ActivePauses {
    /** The maximum number of pauses that the ledger has. If more apply, the last one stands for all others. */
    private static final int MOST_REMEMBERED = 50;

    /** The ledger has at most this number of namespaces of a pause. A pause of more counts for all namespaces. */
    private static final int MOST_NAMESPACES = 100;

    private static final int LONGEST_MESSAGE = 300;

    private final ClusterView cluster;
    private final Readiness readiness;
    private final ChangeCounter changes;
    private final Map<String, Pause> pauses = new TreeMap<>();

    private List<InForce> inForce = List.of();
    private Optional<Instant> foundAt = Optional.empty();
    private WallClock foundBy = WallClock.notCompared();
    private Optional<Instant> validUntil = Optional.empty();

    /** The pauses that applied when the wall clock was last trusted, and apply still. */
    private List<InForce> certain = List.of();

    /** The ended pauses that {@link #takeEnded} has not returned yet. */
    private List<Ended> ended = new ArrayList<>();

    /** A pause that applies now, and the hold of the pods that it selects. */
    private record InForce(Pause pause, Hold hold) {}

    /**
     * A pause that does not hold pods any more: it ended, was edited or removed, or does not select a namespace now.
     *
     * @param message the message of its holds
     * @param namespace the only namespace that the pause no longer holds; absent if it holds none
     */
    public record Ended(Pause pause, String message, Optional<String> namespace) {
        /** {@return whether the pause held the pods of a namespace, by the labels that the namespace has now} */
        private boolean held(String name, Optional<Labels> labels) {
            return namespace.map(name::equals).orElseGet(() -> pause.appliesTo(labels));
        }
    }

    /** @param changes counts the changes of everything that the ledger stores */
    public ActivePauses(ClusterView cluster, Readiness readiness, ChangeCounter changes) {
        this.cluster = cluster;
        this.readiness = readiness;
        this.changes = changes;
    }

    public void put(Pause pause) {
        if (!pause.equals(pauses.put(pause.name(), pause))) {
            changes.changed();
        }
        foundAt = Optional.empty();
    }

    public void remove(String name) {
        pauses.remove(name);
        changes.changed();
        foundAt = Optional.empty();
    }

    /**
     * Records whether a change of a namespace lets a pause select it, or no longer select it. Must be called before the
     * change is applied to the cluster state.
     */
    public void beforeChange(ClusterEvent fact) {
        if (fact instanceof ClusterEvent.NamespaceChanged(Namespace namespace)) {
            noteSelection(namespace.name(), Optional.of(namespace.labels()));
        } else if (fact instanceof ClusterEvent.NamespaceGone(String name)) {
            noteSelection(name, Optional.empty());
        }
    }

    private void noteSelection(String namespace, Optional<Labels> after) {
        Optional<Labels> before = cluster.namespace(namespace).map(Namespace::labels);
        certain.stream()
                .filter(one -> before.filter(it -> one.pause().appliesTo(Optional.of(it)))
                        .isPresent())
                .filter(one -> !one.pause().appliesTo(after))
                .forEach(one -> ended.add(new Ended(one.pause(), one.hold().message(), Optional.of(namespace))));
        boolean differs = pauses.values().stream()
                .filter(pause -> pause.namespaces().isPresent())
                .anyMatch(pause -> before.filter(it -> pause.appliesTo(Optional.of(it)))
                                .isPresent()
                        != after.filter(it -> pause.appliesTo(Optional.of(it))).isPresent());
        if (differs) {
            changes.changed();
        }
    }

    /** {@return the pauses that apply now, for the next process of the operator} */
    public List<RememberedBrakes.Paused> remembered(Instant now) {
        update(now);
        List<RememberedBrakes.Paused> all = new ArrayList<>();
        inForce.stream().limit(MOST_REMEMBERED).map(this::remembered).forEach(all::add);
        if (inForce.size() > MOST_REMEMBERED) {
            String message = "one of " + inForce.size() + " EnforcementPauses";
            all.set(MOST_REMEMBERED - 1, new RememberedBrakes.Paused(message, Optional.empty(), Optional.empty()));
        }
        return all;
    }

    private RememberedBrakes.Paused remembered(InForce one) {
        String message = one.hold().message();
        List<String> selected = one.pause().namespaces().isEmpty()
                ? List.of()
                : cluster.namespaces().stream()
                        .filter(namespace -> one.pause().appliesTo(Optional.of(namespace.labels())))
                        .map(Namespace::name)
                        .sorted()
                        .limit(MOST_NAMESPACES + 1L)
                        .toList();
        boolean all = one.pause().namespaces().isEmpty() || selected.size() > MOST_NAMESPACES;
        return new RememberedBrakes.Paused(
                message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)),
                all ? Optional.empty() : Optional.of(selected),
                one.pause().windowsHash());
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

    /**
     * {@return whether a pause without windows holds a pod} {@link #takeEnded} returns the end of such a pause, while
     * the end of a window is known before.
     */
    public boolean holdUnannounced(Pod pod, Instant now) {
        update(now);
        if (certain.isEmpty()) {
            return false;
        }
        Optional<Labels> labels = cluster.namespace(pod.namespace()).map(Namespace::labels);
        return certain.stream()
                .map(InForce::pause)
                .anyMatch(pause -> pause.maintenanceWindows().isEmpty() && pause.appliesTo(labels));
    }

    /** Returns the pauses that ended since the last call, whatever reasons their pods were held for. */
    public List<Ended> takeEnded(Instant now) {
        update(now);
        List<Ended> taken = ended;
        ended = new ArrayList<>();
        return taken;
    }

    /** {@return the message of the first ended pause that held a pod and holds it no more; empty if there is none} */
    public Optional<String> heldBy(List<Ended> pausesThatEnded, Pod pod, Instant now) {
        Optional<Labels> labels = cluster.namespace(pod.namespace()).map(Namespace::labels);
        return pausesThatEnded.stream()
                .filter(one -> one.held(pod.namespace(), labels))
                .filter(one -> !wasAnnounced(one, pod, now))
                .map(Ended::message)
                .findFirst();
    }

    /** {@return whether only a window of a pause closed, so that it holds a pod again} */
    public boolean wasAnnounced(Ended end, Pod pod, Instant now) {
        return holdAgain(pod, pause -> pause.name().equals(end.pause().name()) && pause.opensAllOf(end.pause()), now);
    }

    /** {@return whether only the window of a stored pause closed, so that the pause will hold the pod again} */
    public boolean wasAnnounced(RememberedBrakes.Paused before, Pod pod, Instant now) {
        return before.windows().isPresent()
                && holdAgain(
                        pod,
                        pause -> pause.wrote(before.message())
                                && pause.windowsHash().equals(before.windows()),
                        now);
    }

    private boolean holdAgain(Pod pod, Predicate<Pause> version, Instant now) {
        Optional<Labels> labels = cluster.namespace(pod.namespace()).map(Namespace::labels);
        Instant wallTime = readiness.wallClock().wallTime(now);
        return pauses.values().stream()
                .filter(version)
                .filter(pause ->
                        pause.until().filter(end -> !wallTime.isBefore(end)).isEmpty())
                .anyMatch(pause -> pause.appliesTo(labels));
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
        List<InForce> before = inForce;
        inForce = pauses.values().stream()
                .flatMap(pause -> pause.hold(wallClock, now).map(hold -> new InForce(pause, hold)).stream())
                .toList();
        if (!inForce.equals(before)) {
            changes.changed();
        }
        noteEnds(wallClock);
        validUntil = pauses.values().stream()
                .flatMap(pause -> pause.lasts(wallClock, now).stream())
                .min(Comparator.naturalOrder());
        foundAt = Optional.of(now);
        foundBy = wallClock;
    }

    /**
     * Notes the pauses that ended. A pause that applied only because the wall clock was not trusted has not ended.
     */
    private void noteEnds(WallClock wallClock) {
        Set<Pause> now = inForce.stream().map(InForce::pause).collect(Collectors.toSet());
        List<InForce> next = new ArrayList<>();
        for (InForce before : certain) {
            if (!now.contains(before.pause())) {
                ended.add(new Ended(before.pause(), before.hold().message(), Optional.empty()));
            } else if (before.pause().countsAsActive(wallClock).isPresent()) {
                next.add(before);
            }
        }
        inForce.stream()
                .filter(one -> one.pause().countsAsActive(wallClock).isEmpty())
                .forEach(next::add);
        certain = next;
    }
}

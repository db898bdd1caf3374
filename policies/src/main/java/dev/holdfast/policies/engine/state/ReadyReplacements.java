package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Knows since when replacements have been Ready. A replacement counts as Ready once this time is long enough, because a
 * container that crashes soon after each start may be Ready for an instant. Owned by one thread.
 *
 * <p>Example: a replacement must be Ready for 10 s. A pod is Ready at 0 s, crashes at 4 s and is Ready again at 14 s:
 * the pod counts as Ready at 24 s.
 */
public final class ReadyReplacements {
    private final Duration minReady;
    private final SyncedViews views;

    /** Since when replacements have been Ready, by pod UID. An entry is removed once its time is over. */
    private final Map<String, Since> ready = new HashMap<>();

    /**
     * The observed beginning of a Ready state.
     *
     * @param synced since when the pods had been watched: if the instant has changed, the pod may have lost its
     *     readiness unseen
     */
    private record Since(Instant at, Instant synced) {}

    /** @param minReady how long a replacement must be Ready without interruption */
    public ReadyReplacements(Duration minReady, SyncedViews views) {
        this.minReady = minReady;
        this.views = views;
    }

    /**
     * {@return whether a replacement has been Ready long enough; false while any view is missing} Records whether the
     * replacement is Ready now.
     */
    public boolean isSteady(Pod replacement, Instant now) {
        Optional<Instant> synced = views.since(View.PODS);
        if (synced.isEmpty() || !replacement.life().ready()) {
            ready.remove(replacement.uid());
            return false;
        }
        Since since = ready.compute(
                replacement.uid(),
                (_, before) -> before == null || !before.synced().equals(synced.get())
                        ? new Since(now, synced.get())
                        : before);
        return isOver(since, now);
    }

    /** {@return when a replacement has been Ready long enough; the distant past if it is not known to be Ready} */
    public Instant steadyAt(String podUid) {
        Since since = ready.get(podUid);
        return since == null ? Instant.MIN : since.at().plus(minReady);
    }

    /** {@return whether a replacement may have been Ready long enough by now} */
    public boolean mayBeSteady(Instant now) {
        return ready.values().stream().anyMatch(since -> isOver(since, now));
    }

    /** Forgets the replacements that have been Ready long enough. Must be called once their moves are handled. */
    public void forgetSteady(Instant now) {
        ready.values().removeIf(since -> isOver(since, now));
    }

    private boolean isOver(Since since, Instant now) {
        return !now.isBefore(since.at().plus(minReady));
    }

    /** {@return when the next replacement has been Ready long enough; empty if none is Ready} */
    public Optional<Instant> nextLook() {
        return ready.isEmpty()
                ? Optional.empty()
                : ready.values().stream()
                        .map(since -> since.at().plus(minReady))
                        .min(Comparator.naturalOrder());
    }
}

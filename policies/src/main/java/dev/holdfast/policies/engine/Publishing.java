package dev.holdfast.policies.engine;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Publishes how policies stand: at once when something changed after a quiet second, else once a second. */
final class Publishing {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Reports reports;
    private final Map<PolicyId, PolicyReport> published = new HashMap<>();
    private Optional<Instant> last = Optional.empty();
    private boolean stale;

    Publishing(Reports reports) {
        this.reports = reports;
    }

    /** Notes that reports may differ from what was published. */
    void changed() {
        stale = true;
    }

    /** Forgets what was published of a policy that is gone: one made again under its name has heard nothing yet. */
    void forget(PolicyId policy) {
        published.remove(policy);
    }

    void run(Instant now, List<Effect> effects) {
        if (!stale || nextLook().filter(now::isBefore).isPresent()) {
            return;
        }
        stale = false;
        last = Optional.of(now);
        for (PolicyReport report : reports.all(now)) {
            if (!report.equals(published.put(report.policy(), report))) {
                effects.add(new Effect.Publish(report));
            }
        }
    }

    /** {@return when what changed meanwhile will be published} */
    Optional<Instant> nextLook() {
        return stale ? last.map(at -> at.plus(EVERY)) : Optional.empty();
    }
}

package dev.holdfast.operator.serve;

import dev.holdfast.operator.loop.LoopState;
import dev.holdfast.operator.loop.ViewStatuses;
import dev.holdfast.operator.publish.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The liveness and readiness probes. A standby is ready too, because it observes the cluster and can take over.
 *
 * @param loop supplies the present state of the engine's loop
 * @param views supplies the present statuses of the views
 * @param leads whether this replica leads now
 * @param waitedFor what the operator waits for while it starts; empty once it has started
 */
public record Probes(
        Supplier<LoopState> loop,
        Supplier<ViewStatuses> views,
        BooleanSupplier leads,
        Supplier<Optional<String>> waitedFor) {
    /** How long the engine may process one event before the liveness probe fails. No normal event takes as long. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

    /**
     * {@return 200, or 503 if the engine's thread has ended or has been processing one event for a minute or longer}
     */
    public HttpReply live() {
        LoopState state = loop.get();
        if (state.ended()) {
            return HttpReply.unavailable("the engine's thread has ended");
        }
        Duration running = state.stepRunning();
        return running.compareTo(LONGEST_STEP) < 0
                ? HttpReply.ok("ok")
                : HttpReply.unavailable("the engine has been processing one event for " + DurationText.of(running));
    }

    /** {@return 200 once all views of the cluster are synced; until then 503 with the views that are not, and why} */
    public HttpReply ready() {
        Optional<String> first = waitedFor.get();
        if (first.isPresent()) {
            return HttpReply.unavailable("waiting for the API server: " + first.get());
        }
        ViewStatuses present = views.get();
        if (present.allSynced()) {
            return HttpReply.ok(leads.getAsBoolean() ? "ok, leading" : "ok, standing by");
        }
        return HttpReply.unavailable(
                String.join("\n", present.missing().stream().sorted().toList()));
    }
}

package dev.holdfast.operator.serve;

import dev.holdfast.operator.enforce.LoopState;
import dev.holdfast.operator.publish.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Liveness and readiness probes. A standby is as ready as the leader: it observes the cluster and can take over.
 *
 * @param loop the state of the engine's loop
 * @param leads whether this replica leads
 * @param waitedFor what the operator waits for during its start; empty after it
 */
public record Probes(Supplier<LoopState> loop, BooleanSupplier leads, Supplier<Optional<String>> waitedFor) {
    /** Far longer than any step takes; after this time only a restart helps. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

    /** {@return 200, or 503 if the current step of the engine has run for too long} */
    public HttpReply live() {
        Duration running = loop.get().stepRunning();
        return running.compareTo(LONGEST_STEP) < 0
                ? HttpReply.ok("ok")
                : HttpReply.unavailable("the engine has been processing one event for " + DurationText.of(running));
    }

    /** {@return 200 once all views of the cluster are synced, else 503 with what is missing} */
    public HttpReply ready() {
        Optional<String> first = waitedFor.get();
        if (first.isPresent()) {
            return HttpReply.unavailable("waiting for the API server: " + first.get());
        }
        LoopState state = loop.get();
        if (state.allSynced()) {
            return HttpReply.ok(leads.getAsBoolean() ? "ok, leading" : "ok, standing by");
        }
        return HttpReply.unavailable(state.views().entrySet().stream()
                .flatMap(entry -> entry.getValue().missing().stream()
                        .map(why -> entry.getKey().name().toLowerCase(Locale.ROOT) + ": " + why))
                .sorted()
                .collect(Collectors.joining("\n")));
    }
}

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
 * Whether the operator lives and is ready. A standby is as ready as the leader: it observes, and would act if it led.
 *
 * @param loop how the engine's thread stands
 * @param leads whether this replica leads
 * @param waitedFor what is waited for before anything can begin
 */
public record Probes(Supplier<LoopState> loop, BooleanSupplier leads, Supplier<Optional<String>> waitedFor) {
    /** Far more than any step takes; beyond it, only a restart helps. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

    /** {@return well, unless one step of the engine does not end} */
    public HttpReply live() {
        Duration running = loop.get().stepRunning();
        return running.compareTo(LONGEST_STEP) < 0
                ? HttpReply.ok("ok")
                : HttpReply.unavailable("the engine has been at one event for " + DurationText.of(running));
    }

    /** {@return well, once all views of the cluster are synced} */
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

package dev.holdfast.operator.print;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Says once a second how many objects were read, from the second second on. */
public final class ReadProgress implements LongConsumer {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** The clock is not read for each object. */
    private static final int OBJECTS_BETWEEN_LOOKS = 256;

    private final InstantSource clock;
    private final Consumer<String> sink;
    private Optional<Instant> next = Optional.empty();

    /** @param sink gets each line */
    public ReadProgress(InstantSource clock, Consumer<String> sink) {
        this.clock = clock;
        this.sink = sink;
    }

    @Override
    public void accept(long objects) {
        if (objects % OBJECTS_BETWEEN_LOOKS != 0) {
            return;
        }
        Instant now = clock.instant();
        if (next.filter(now::isBefore).isEmpty()) {
            next.ifPresent(_ -> sink.accept(String.format(Locale.ROOT, "read %,d objects", objects)));
            next = Optional.of(now.plus(EVERY));
        }
    }
}

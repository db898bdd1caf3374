package dev.holdfast.operator.offline.print;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Says once in a second what a simulation has done so far, if a person sees it, and if it is something new. */
public final class PlayProgress implements AutoCloseable {
    private final Consumer<String> sink;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast-progress").factory());
    private volatile Supplier<String> done = () -> "";
    private String said = "";

    /** @param sink gets each line, from a thread of its own */
    public PlayProgress(Consumer<String> sink) {
        this.sink = sink;
    }

    /**
     * A simulation.
     *
     * @param <T> its result
     * @param <E> why it cannot be made
     */
    @FunctionalInterface
    public interface Simulating<T, E extends Exception> {
        /**
         * {@return the result}
         *
         * @param done gets what is done so far
         */
        T run(Consumer<Supplier<String>> done) throws E;
    }

    /**
     * {@return the result of a simulation, during which the progress is said}
     *
     * @param sink gets each line, from a thread of its own
     * @param done also gets what is done so far
     */
    public static <T, E extends Exception> T during(
            Terminal terminal, Consumer<String> sink, Consumer<Supplier<String>> done, Simulating<T, E> simulation)
            throws E {
        try (PlayProgress progress = new PlayProgress(sink)) {
            progress.begin(terminal);
            return simulation.run(done.andThen(progress::now));
        }
    }

    /** Begins to say what is done if the terminal shows it. */
    public void begin(Terminal terminal) {
        if (terminal.showsErrors()) {
            var _ = timer.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
        }
    }

    /**
     * Replaces what is done so far.
     *
     * @param doneByNow asked by another thread; empty if there is nothing to say
     */
    public void now(Supplier<String> doneByNow) {
        done = doneByNow;
    }

    /** Says what is done so far, unless that was said already. Called by one thread. */
    void tick() {
        String text = done.get();
        if (!text.equals(said)) {
            said = text;
            sink.accept(text);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

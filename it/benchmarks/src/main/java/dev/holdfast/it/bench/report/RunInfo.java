package dev.holdfast.it.bench.report;

import java.nio.file.Path;
import java.time.InstantSource;

/**
 * When a bench ran, with which options, from which version of the source tree, and on which machine.
 *
 * @param started when the bench began, as ISO 8601
 * @param options the options of the bench, a record whose {@code toString()} is one line
 */
public record RunInfo(String bench, String started, Checkout checkout, Machine machine, Record options) {
    /**
     * {@return the information about a run that begins now, on this machine}
     *
     * @param root the root folder of the repository
     */
    public static RunInfo now(String bench, Path root, Record options, InstantSource clock) {
        String started = clock.instant().toString();
        return new RunInfo(bench, started, Checkout.of(root), Machine.here(), options);
    }

    /** {@return the run in two lines} */
    @Override
    public String toString() {
        return options + "; commit " + checkout + "\n" + machine;
    }
}

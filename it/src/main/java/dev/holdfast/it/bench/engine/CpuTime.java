package dev.holdfast.it.bench.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The CPU time of the thread that plays, which others on the machine do not lengthen. JMH reports the public fields
 * beside its times.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTime {
    /** In an iteration, in nanoseconds. */
    public double cpu;

    /** In an iteration. */
    public double turns;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long start;

    /** Begins an iteration. */
    @Setup(Level.Iteration)
    public void begin() {
        start = threads.getCurrentThreadCpuTime();
    }

    /** Ends an iteration. */
    @TearDown(Level.Iteration)
    public void end() {
        cpu = threads.getCurrentThreadCpuTime() - start;
    }
}

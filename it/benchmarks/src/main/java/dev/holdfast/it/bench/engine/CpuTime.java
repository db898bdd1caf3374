package dev.holdfast.it.bench.engine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The CPU time and the allocated bytes of the benchmark thread, without the creation of events. Other processes of the
 * machine do not change them. JMH reports the public fields beside its times.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTime {
    /** CPU time of an iteration, in nanoseconds. */
    public double cpu;

    /** Allocated bytes of an iteration. */
    public double garbage;

    /** Turns of an iteration. */
    public double turns;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long cpuBefore;
    private long garbageBefore;

    /** Starts an iteration; JMH sets the public fields to 0 after it. */
    @Setup(Level.Iteration)
    public void begin() {
        resume();
    }

    /** Ends an iteration. */
    @TearDown(Level.Iteration)
    public void end() {
        pause();
    }

    /** Stops the measurement. */
    void pause() {
        cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
        garbage += threads.getCurrentThreadAllocatedBytes() - garbageBefore;
    }

    /** Continues the measurement. */
    void resume() {
        garbageBefore = threads.getCurrentThreadAllocatedBytes();
        cpuBefore = threads.getCurrentThreadCpuTime();
    }
}

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
 * JMH counters: the CPU time and the allocated bytes of the benchmark thread, except for the creation of events. Other
 * processes of the machine do not change these values. JMH reports the public fields beside its own times.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTime {
    /** CPU time that the benchmark thread has used in the current JMH iteration, in nanoseconds. */
    public double cpu;

    /** Bytes allocated in the current JMH iteration. */
    public double garbage;

    /** How many turns the current JMH iteration has had; a turn is the event that is timed. */
    public double turns;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long cpuBefore;
    private long garbageBefore;

    /** Continues measuring after {@link #pause}. JMH sets the public fields to 0 after each iteration. */
    @Setup(Level.Iteration)
    public void resume() {
        garbageBefore = threads.getCurrentThreadAllocatedBytes();
        cpuBefore = threads.getCurrentThreadCpuTime();
    }

    /** Stops measuring, and adds the time and bytes since the last {@link #resume} to the fields. */
    @TearDown(Level.Iteration)
    public void pause() {
        cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
        garbage += threads.getCurrentThreadAllocatedBytes() - garbageBefore;
    }
}

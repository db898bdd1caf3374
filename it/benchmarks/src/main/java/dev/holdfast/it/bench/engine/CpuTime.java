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
 * The CPU time of the thread that plays, which others on the machine do not lengthen, and the bytes it allocates; of neither
 * what it takes to make events. JMH reports the public fields beside its times.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTime {
    /** In an iteration, in nanoseconds. */
    public double cpu;

    /** In an iteration, in bytes. */
    public double garbage;

    /** In an iteration. */
    public double turns;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long cpuBefore;
    private long garbageBefore;

    /** Begins an iteration; JMH sets the public fields to 0 after it. */
    @Setup(Level.Iteration)
    public void begin() {
        resume();
    }

    /** Ends an iteration. */
    @TearDown(Level.Iteration)
    public void end() {
        pause();
    }

    /** What comes now does not count. */
    void pause() {
        cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
        garbage += threads.getCurrentThreadAllocatedBytes() - garbageBefore;
    }

    /** What comes now counts again. */
    void resume() {
        garbageBefore = threads.getCurrentThreadAllocatedBytes();
        cpuBefore = threads.getCurrentThreadCpuTime();
    }
}

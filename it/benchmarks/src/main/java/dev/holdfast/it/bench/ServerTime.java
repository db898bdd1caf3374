package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.controlplane.Program;
import java.util.concurrent.TimeUnit;

/** The CPU time that kube-apiserver had used when a measurement started; {@link #since} subtracts it. */
record ServerTime(long pid, double seconds) {
    private static final int LOOK_SECONDS = 3;
    private static final int MOST_LOOKS = 100;

    /** kube-apiserver counts as busy if it uses at least this many CPU seconds per second. */
    private static final double BUSY = 0.1;

    static ServerTime now(BenchEnvironment environment) {
        long pid = environment.controlPlane().pid(Program.KUBE_APISERVER);
        return new ServerTime(pid, ProcessFigures.of(pid).cpuSeconds());
    }

    /** Waits until kube-apiserver is almost idle, for at most five minutes. */
    static void awaitRest(BenchEnvironment environment) throws InterruptedException {
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            ServerTime before = now(environment);
            TimeUnit.SECONDS.sleep(LOOK_SECONDS);
            if (before.since() < BUSY * LOOK_SECONDS) {
                return;
            }
        }
        environment.progress().say("kube-apiserver is still busy");
    }

    /** {@return the CPU seconds that kube-apiserver has used since the start of the measurement} */
    double since() {
        return ProcessFigures.of(pid).cpuSeconds() - seconds;
    }
}

package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.controlplane.Program;

/** How much CPU time kube-apiserver has used when something begins. */
record ServerTime(long pid, double seconds) {
    static ServerTime now(Site site) {
        long pid = site.controlPlane().pid(Program.KUBE_APISERVER);
        return new ServerTime(pid, ProcessFigures.of(pid).cpuSeconds());
    }

    /** {@return the CPU seconds since} */
    double since() {
        return ProcessFigures.of(pid).cpuSeconds() - seconds;
    }
}

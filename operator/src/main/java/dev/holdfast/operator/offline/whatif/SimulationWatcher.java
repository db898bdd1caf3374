package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.simulate.Simulation;

/** Sees the simulation with a change, for example to draw it. A watcher must not keep the simulation. */
public interface SimulationWatcher {
    /** Sees nothing. */
    SimulationWatcher NONE = new SimulationWatcher() {
        @Override
        public void beforeChange(Simulation simulation) {}

        @Override
        public void atEnd(Simulation simulation) {}
    };

    /** Sees the simulation right before the change. */
    void beforeChange(Simulation simulation);

    /** Sees the simulation at its end. */
    void atEnd(Simulation simulation);
}

package dev.holdfast.it.incident;

/** A controller of the simulated cluster. */
interface SimulatedController {
    /** Does the work that is due now, if any. */
    void reconcile();
}

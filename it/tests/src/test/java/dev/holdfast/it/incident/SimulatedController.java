package dev.holdfast.it.incident;

/** One of those that bring a cluster to what its objects ask for. */
interface SimulatedController {
    /** Does what is to be done now; does nothing where nothing is. */
    void reconcile();
}

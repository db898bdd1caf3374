package dev.holdfast.operator.offline.simulate;

/** What becomes of the pods that controllers create. */
public enum NewPods {
    /** They are bound, and Ready some time later. */
    START,
    /** They are bound and do not become Ready, for example because a registry is down. */
    NOT_READY,
    /** The API server refuses them, for example because of a quota. Controllers try again until it does not. */
    REFUSED
}

package dev.holdfast.operator.offline.simulate.object;

/** What happens to the pods that controllers create. */
public enum NewPods {
    /** New pods are bound, and Ready some time later. */
    START,
    /** New pods are bound and do not become Ready, for example because a registry is down. */
    NOT_READY,
    /** The API server refuses new pods, for example because of a quota. Controllers try again until it accepts. */
    REFUSED
}

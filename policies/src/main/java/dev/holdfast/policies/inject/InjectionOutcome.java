package dev.holdfast.policies.inject;

/**
 * The outcome of injecting a policy's rule into the spec of a pod. The strings that {@link #label} returns are API:
 * each has a row in the table of reasons in the documentation.
 */
public enum InjectionOutcome {
    /** The API server added the rule to the spec. */
    INJECTED("Injected", "the API server added it to the pod's spec"),
    /** The pod requires the same of its own, so there was nothing to add. */
    OWN("Own", "the pod's own spec requires the same"),
    /** A second term of pod affinity would change the meaning of the first (AF-1). */
    OTHER_POD_AFFINITY("OtherPodAffinity", "the pod has another required term of pod affinity"),
    /** The pod has another hard constraint with the same topology key, and may have only one. */
    OTHER_SPREAD("OtherSpread", "the pod has another hard spread constraint with this topologyKey"),
    /** The rule would multiply the terms of the pod's node affinity beyond what Holdfast reads. */
    TOO_MANY_NODE_VALUES(
            "TooManyNodeValues",
            "the pod's node affinity would have more than " + Injection.MOST_NODE_VALUES + " requirements and values"),
    /** The pod has as many rules about other pods as Holdfast reads. */
    TOO_MANY_POD_RULES(
            "TooManyPodRules", "the pod has " + Injection.MOST_POD_RULES + " rules about other pods already"),
    /** The annotation with the rule is valid, but the API server cannot read it. */
    ANNOTATION_NOT_PLAIN("AnnotationNotPlain", "the API server does not read the annotation, since it has an escape"),
    /** Nothing prevents the rule: the pod is older than the policy, or the API server did not inject it. */
    ABSENT("Absent", "the pod was created without it");

    private final String label;
    private final String description;

    InjectionOutcome(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** {@return the word in conditions, messages and the output of commands} */
    public String label() {
        return label;
    }

    /** {@return why, as a part of a sentence about the rule} */
    public String describe() {
        return description;
    }

    /** {@return whether the scheduler knows the rule for the pod} */
    public boolean isInSpec() {
        return this == INJECTED || this == OWN;
    }

    /** {@return whether the API server leaves the rule out, for a reason that lies in the pod} */
    public boolean isLeftOut() {
        return !isInSpec() && this != ABSENT;
    }
}

package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A level of the Pod Security Standards, from the most permissive to the strictest.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Pod Security Standards</a>
 */
public enum PodSecurityLevel {
    PRIVILEGED("privileged"),
    BASELINE("baseline"),
    RESTRICTED("restricted");

    /** The label of a namespace that names the level that each new pod must satisfy. */
    public static final String ENFORCE = "pod-security.kubernetes.io/enforce";

    private final String label;

    PodSecurityLevel(String label) {
        this.label = label;
    }

    /** {@return the name of the level in labels, for example {@code baseline}} */
    public String label() {
        return label;
    }

    /**
     * {@return the level that each new pod of a namespace must satisfy} Without the label, the level is {@link
     * #PRIVILEGED}. With a value that is no level it is {@link #RESTRICTED}, as in the admission plugin, and also if
     * the labels were not read.
     */
    public static PodSecurityLevel enforcedIn(Namespace namespace) {
        if (namespace.labels().areUnread()) {
            return RESTRICTED;
        }
        Optional<String> value = namespace.labels().get(ENFORCE);
        for (PodSecurityLevel level : values()) {
            if (value.filter(level.label::equals).isPresent()) {
                return level;
            }
        }
        return value.isPresent() ? RESTRICTED : PRIVILEGED;
    }

    /** {@return whether a pod of this level is admitted where another level is enforced} */
    public boolean satisfies(PodSecurityLevel enforced) {
        return compareTo(enforced) >= 0;
    }
}

package dev.holdfast.it.scenario;

import java.time.Duration;

/** Pod specs, policies and durations that many tests share. */
public final class StageDefaults {
    /** A pod spec with a required node affinity: the node must have the label {@code disk=ssd}. */
    public static final String ON_SSD = """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]
        """;

    /** The spec of a policy that enforces all pod rules of all pods, with a forgiveness of 3 seconds. */
    public static final String ENFORCE = enforcing(Duration.ofSeconds(3));

    /**
     * How long a test waits to see that no eviction happens. The wait is longer than the forgiveness of {@link
     * #ENFORCE} plus the time of a move.
     */
    public static final Duration QUIET = Duration.ofSeconds(8);

    private StageDefaults() {}

    /** {@return the spec of a policy that enforces all pod rules of all pods} */
    public static String enforcing(Duration forgiveness) {
        return """
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0}
            forgivenessSeconds: %s
            """.formatted(forgiveness.toSeconds());
    }
}

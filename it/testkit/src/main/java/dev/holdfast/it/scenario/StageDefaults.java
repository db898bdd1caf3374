package dev.holdfast.it.scenario;

import java.time.Duration;

/** Pod specs, policies and durations that many stages share. */
public final class StageDefaults {
    /** A pod must be on a node with {@code disk=ssd}. */
    public static final String ON_SSD = """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]
        """;

    /** A policy that enforces all pod rules of all pods, with a short forgiveness. */
    public static final String ENFORCE = enforcing(Duration.ofSeconds(3));

    /** Longer than the short forgiveness and the move after it. */
    public static final Duration QUIET = Duration.ofSeconds(8);

    private StageDefaults() {}

    /** {@return a policy that enforces all pod rules of all pods} */
    public static String enforcing(Duration forgiveness) {
        return """
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0}
            forgivenessSeconds: %s
            """.formatted(forgiveness.toSeconds());
    }
}

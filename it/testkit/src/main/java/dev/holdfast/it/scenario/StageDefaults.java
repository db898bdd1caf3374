package dev.holdfast.it.scenario;

import java.time.Duration;

/** What is used on many stages. */
public final class StageDefaults {
    /** A pod must be on a node with {@code disk=ssd}. */
    public static final String ON_SSD = """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]
        """;

    /** All own rules of all pods, and a short window. */
    public static final String ENFORCE = enforcing(Duration.ofSeconds(3));

    /** Longer than the short window and all that follows it. */
    public static final Duration QUIET = Duration.ofSeconds(8);

    private StageDefaults() {}

    /** {@return a policy that enforces all own rules of all pods} */
    public static String enforcing(Duration forgiveness) {
        return """
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0}
            forgivenessSeconds: %s
            """.formatted(forgiveness.toSeconds());
    }
}

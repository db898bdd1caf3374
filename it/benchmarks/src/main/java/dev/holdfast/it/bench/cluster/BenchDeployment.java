package dev.holdfast.it.bench.cluster;

/**
 * One Deployment in the cluster of a bench.
 *
 * @param block the number of the group of workloads to which the Deployment belongs: {@link WorkloadRole#NEAR} has
 * affinity to the {@link WorkloadRole#CACHE} of the same block
 */
public record BenchDeployment(WorkloadRole workloadRole, int block, int replicas) {
    static final String ZONE = "topology.kubernetes.io/zone";

    /** {@return the Deployment's name, which is also the label {@code app} of its pods} */
    String name() {
        return workloadRole.label() + "-" + block;
    }

    /** {@return the Deployment as YAML} */
    String yaml(String namespace) {
        return """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s, namespace: %2$s}
            spec:
              replicas: %3$s
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s, role: %4$s, block: "%5$s"%6$s}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: main}]
            %7$s
            """.formatted(name(), namespace, replicas, workloadRole.label(), block, moreLabels(), rules().indent(6));
    }

    private String moreLabels() {
        return switch (workloadRole) {
            case CACHE -> ", serves: \"yes\"";
            case EVEN -> ", even: " + name();
            case SSD, APART, NEAR, PLAIN -> "";
        };
    }

    private String rules() {
        return switch (workloadRole) {
            case SSD -> """
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]
                """;
            case APART -> """
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - {labelSelector: {matchLabels: {app: %s}}, topologyKey: kubernetes.io/hostname}
                    - {labelSelector: {matchLabels: {noisy: "yes"}}, topologyKey: kubernetes.io/hostname}
                """.formatted(name());
            case NEAR -> """
                affinity:
                  podAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - {labelSelector: {matchLabels: {app: cache-%s, serves: "yes"}}, topologyKey: %s}
                """.formatted(block, ZONE);
            case CACHE -> spread("app");
            case EVEN -> spread("even");
            case PLAIN -> "";
        };
    }

    private String spread(String label) {
        return """
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: %s
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {%s: %s}}
            """.formatted(ZONE, label, name());
    }
}

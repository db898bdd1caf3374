package dev.holdfast.it.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random required rules, in the YAML that pods and policies share. They use few keys and values, so that rules of pods
 * and policies often meet. The same seed gives the same rules.
 */
final class RandomRules {
    static final List<String> ZONES = List.of("a", "b", "c");
    static final List<String> APPS = List.of("web", "cache", "batch");
    private static final List<String> DISKS = List.of("ssd", "hdd", "nvme");
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final Random random;

    RandomRules(Random random) {
        this.random = random;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** {@return {@code affinity} and {@code topologySpreadConstraints} of a pod; each kind may be absent} */
    String ofPod() {
        List<String> kinds = new ArrayList<>();
        if (chance(50)) {
            kinds.add("nodeAffinity: " + required(nodeSelector()));
        } else if (chance(20)) {
            kinds.add("nodeAffinity: " + preferred("preference: " + nodeTerm()));
        }
        if (chance(25)) {
            kinds.add("podAffinity: " + required("[" + podTerm() + "]"));
        } else if (chance(20)) {
            kinds.add("podAffinity: " + preferred("podAffinityTerm: " + podTerm()));
        }
        if (chance(40)) {
            kinds.add("podAntiAffinity: " + required(list(1 + random.nextInt(2), this::podTerm)));
        } else if (chance(20)) {
            kinds.add("podAntiAffinity: " + preferred("podAffinityTerm: " + podTerm()));
        }
        List<String> constraints = new ArrayList<>();
        if (chance(40)) {
            constraints.add(spread(true));
        }
        if (chance(20)) {
            constraints.add(spread(false));
        }
        return "affinity: {" + String.join(", ", kinds) + "}, topologySpreadConstraints: ["
                + String.join(", ", constraints) + "]";
    }

    /** {@return one or two preferred terms; those with weight 100 may equal injected ones} */
    private String preferred(String term) {
        return "{preferredDuringSchedulingIgnoredDuringExecution: "
                + list(1 + random.nextInt(2), () -> "{weight: " + one(List.of(1, 100)) + ", " + term + "}") + "}";
    }

    private static String required(String value) {
        return "{requiredDuringSchedulingIgnoredDuringExecution: " + value + "}";
    }

    /**
     * {@return {@code rules} of a policy: up to four, and a node rule that changes every pod. A third are required only
     * where possible}
     */
    String ofPolicy(String name) {
        String marker = "{name: marker, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: not-"
                + name + ", operator: DoesNotExist}]}]}}}";
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(number -> "{name: rule-" + number + ", " + (chance(33) ? "when: PossibleAtScheduling, " : "")
                        + rule() + "}")
                .collect(Collectors.joining(", ", "[" + marker + ", ", "]"));
    }

    /** {@return the rules of an annotation, in YAML: up to four} */
    String ofAnnotation() {
        return IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(number -> "{name: own-" + number + ", " + rule() + "}")
                .collect(Collectors.joining(", ", "{apiVersion: holdfast.dev/v1alpha1, rules: [", "]}"));
    }

    private String rule() {
        return switch (random.nextInt(5)) {
            case 0 -> "podAffinityTerm: " + podTerm();
            case 1 -> "podAntiAffinityTerm: " + podTerm();
            case 2 -> "topologySpreadConstraint: " + spread(true);
            default -> "nodeAffinity: {required: " + nodeSelector() + "}";
        };
    }

    private String nodeSelector() {
        return "{nodeSelectorTerms: " + list(1 + random.nextInt(3), this::nodeTerm) + "}";
    }

    private String nodeTerm() {
        return chance(20)
                ? "{matchFields: [{key: metadata.name, operator: " + one(List.of("In", "NotIn")) + ", values: [n"
                        + random.nextInt(6) + "]}]}"
                : "{matchExpressions: " + list(1 + random.nextInt(2), this::nodeRequirement) + "}";
    }

    private String nodeRequirement() {
        return switch (random.nextInt(5)) {
            case 0 -> "{key: " + ZONE + ", operator: NotIn, values: [" + one(ZONES) + "]}";
            case 1 -> "{key: cores, operator: " + one(List.of("Gt", "Lt")) + ", values: ['8']}";
            case 2 -> "{key: gpu, operator: " + one(List.of("Exists", "DoesNotExist")) + "}";
            default -> "{key: disk, operator: In, values: " + list(1 + random.nextInt(2), () -> one(DISKS)) + "}";
        };
    }

    private String podTerm() {
        String selector = chance(70)
                ? "{matchLabels: {app: " + one(APPS) + "}}"
                : "{matchExpressions: [{key: app, operator: NotIn, values: [" + one(APPS) + "]}]}";
        String namespaces = switch (random.nextInt(4)) {
            case 0 -> ", namespaces: [bank]";
            case 1 -> ", namespaceSelector: {matchLabels: {team: blue}}";
            default -> "";
        };
        String keys = chance(15) ? ", matchLabelKeys: [tier]" : chance(15) ? ", mismatchLabelKeys: [tier]" : "";
        return "{labelSelector: " + selector + ", topologyKey: " + one(List.of(ZONE, HOSTNAME)) + namespaces + keys
                + "}";
    }

    private String spread(boolean hard) {
        return "{maxSkew: " + (1 + random.nextInt(2)) + ", topologyKey: " + one(List.of(ZONE, HOSTNAME))
                + ", whenUnsatisfiable: " + (hard ? "DoNotSchedule" : "ScheduleAnyway")
                + ", labelSelector: {matchLabels: {app: " + one(APPS) + "}}"
                + (chance(30) ? ", nodeTaintsPolicy: Honor" : "") + (chance(20) && hard ? ", minDomains: 2" : "") + "}";
    }

    private static String list(int count, Supplier<String> item) {
        return IntStream.range(0, count).mapToObj(_ -> item.get()).collect(Collectors.joining(", ", "[", "]"));
    }
}

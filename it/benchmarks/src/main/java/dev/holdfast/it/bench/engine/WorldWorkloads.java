package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Generator of the workloads of a generated cluster. Of a hundred workloads, 43 spread over zones, and 38 have
 * anti-affinity by node to their own pods. 20 have affinity to another workload of their namespace, 3 spread over
 * nodes, and 2 have affinity to batch pods of another team. 20 have a nodeSelector and 10 a node affinity. Each rule is
 * drawn independently: many workloads have no rule and some have four.
 */
final class WorldWorkloads {
    static final String BIG = "big";
    static final String HASH = "pod-template-hash";
    static final int TEAMS = 20;

    private static final String CROWD = "crowd";
    private static final String LEADER = "leader";
    private static final int PER_NAMESPACE = 20;
    private static final int HUNDRED = 100;
    private static final int EVEN = 43;
    private static final int APART = 38;
    private static final int NEAR = 20;
    private static final int EVEN_BY_NODE = 3;
    private static final int NEAR_A_TEAM = 2;
    private static final int ON_GENERAL = 20;
    private static final int ON_SSD = 10;
    private static final int THOUSAND = 1_000;
    private static final int BATCH = 250;
    private static final int CRITICAL = 50;
    private static final int NOISY = 2;

    private final WorldPlan plan;
    private final Random random = new Random(1);
    private final List<Workload> drawn = new ArrayList<>();
    private int pods;

    /**
     * A workload of a generated cluster: pods of one template.
     *
     * @param hash the pod-template-hash label of its pods
     * @param tier the label {@code tier} of its pods, which rules of other pods read: {@code web}, {@code batch},
     *     {@code critical} or {@code noisy}
     * @param scheduling the scheduling fields, one object for all pods, as after decoding a watch
     * @param controller the owning controller, one object for all pods
     * @param firstZone the number of the first replica's zone; the next replica is in the next zone
     */
    record Workload(
            String namespace,
            String app,
            String hash,
            String tier,
            Scheduling scheduling,
            Controller controller,
            int replicas,
            int firstZone) {}

    WorldWorkloads(WorldPlan plan) {
        this.plan = plan;
    }

    /** Draws all workloads, which together have as many pods as the plan says, and returns them. */
    List<Workload> draw() {
        // The pods of the one big workload have anti-affinity by node, and affinity by region to a single leader pod.
        Scheduling crowd = new Scheduling(
                Labels.none(),
                Optional.empty(),
                List.of(PodAffinityTerm.of(app(LEADER), WorldNodes.REGION)),
                List.of(PodAffinityTerm.of(app(CROWD), WorldNodes.HOST)),
                List.of(),
                List.of());
        add(CROWD, LEADER, "web", Scheduling.anywhere(), 1);
        add(CROWD, CROWD, "web", crowd, plan.crowd());
        drawInto(BIG, pods + plan.crowd(), Integer.MAX_VALUE);
        for (int namespace = 0; pods < plan.pods(); namespace++) {
            drawInto("ns-" + namespace, plan.pods(), PER_NAMESPACE);
        }
        return List.copyOf(drawn);
    }

    private void drawInto(String namespace, int untilPods, int atMost) {
        int first = drawn.size();
        while (pods < untilPods && drawn.size() - first < atMost) {
            String app = "app-" + drawn.size();
            String sibling = "app-" + (first + random.nextInt(drawn.size() - first + 1));
            int replicas = plan.replicas() / 3 + random.nextInt(plan.replicas() * 4 / 3 + 1);
            add(namespace, app, tier(), scheduling(app, sibling), Math.min(replicas, untilPods - pods));
        }
    }

    private void add(String namespace, String app, String tier, Scheduling scheduling, int replicas) {
        String hash = Integer.toHexString(0x1000_0000 + random.nextInt(0x1000_0000));
        String template = app + "-" + hash;
        Controller controller = new Controller("ReplicaSet", template, template + "-uid");
        int zone = drawn.size() % WorldNodes.ZONES;
        drawn.add(new Workload(namespace, app, hash, tier, scheduling, controller, replicas, zone));
        pods += replicas;
    }

    private boolean drawn(int percent) {
        return random.nextInt(HUNDRED) < percent;
    }

    private String tier() {
        int draw = random.nextInt(THOUSAND);
        if (draw < NOISY) {
            return "noisy";
        }
        return draw < CRITICAL ? "critical" : draw < BATCH ? "batch" : "web";
    }

    private Scheduling scheduling(String app, String sibling) {
        List<PodAffinityTerm> apart = drawn(APART) ? List.of(PodAffinityTerm.of(app(app), WorldNodes.HOST)) : List.of();
        List<TopologySpreadConstraint> even = new ArrayList<>();
        if (drawn(EVEN)) {
            even.add(even(app));
        }
        if (drawn(EVEN_BY_NODE)) {
            even.add(TopologySpreadConstraint.of(2, WorldNodes.HOST, app(app)));
        }
        return new Scheduling(
                drawn(ON_GENERAL) ? Labels.of(WorldNodes.POOL, WorldNodes.GENERAL) : Labels.none(),
                drawn(ON_SSD)
                        ? Optional.of(WorldPolicies.nodesIn(WorldNodes.DISK, WorldNodes.SSD, "nvme"))
                        : Optional.empty(),
                near(sibling),
                apart,
                even,
                List.of(new Toleration("node.kubernetes.io/not-ready", "Exists", "", "NoExecute")));
    }

    /**
     * {@return the pod affinity terms of a workload: none or one} Never two: Kubernetes counts only partners that match
     * all terms of a pod, and hardly any generated pod would match two.
     */
    private List<PodAffinityTerm> near(String sibling) {
        int draw = random.nextInt(HUNDRED);
        if (draw < NEAR) {
            return List.of(PodAffinityTerm.of(app(sibling), WorldNodes.ZONE));
        }
        return draw < NEAR + NEAR_A_TEAM ? List.of(ofTeam("team-" + random.nextInt(TEAMS))) : List.of();
    }

    private static LabelSelector app(String app) {
        return WorldPolicies.having("app", app);
    }

    private static PodAffinityTerm ofTeam(String team) {
        return new PodAffinityTerm(
                Optional.of(WorldPolicies.having("tier", "batch")),
                List.of(),
                Optional.of(WorldPolicies.having(World.TEAM, team)),
                WorldNodes.ZONE,
                List.of(),
                List.of());
    }

    /**
     * {@return a spread constraint over the pods of an app} About half of the returned constraints count only pods of
     * the same template, and ignore nodes with taints that the pods do not tolerate.
     */
    private TopologySpreadConstraint even(String app) {
        if (random.nextBoolean()) {
            return TopologySpreadConstraint.of(1, WorldNodes.ZONE, app(app));
        }
        return new TopologySpreadConstraint(
                1,
                WorldNodes.ZONE,
                Optional.of(app(app)),
                1,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.HONOR,
                List.of(HASH));
    }
}

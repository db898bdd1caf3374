package dev.holdfast.policies.engine;

/**
 * Verdicts on the rules of a {@link SmallCluster}, computed from the node of each pod alone. They are written apart
 * from the evaluators, and fast enough to search through all orders of moves.
 */
final class SmallVerdicts {
    private final SmallCluster cluster;

    SmallVerdicts(SmallCluster cluster) {
        this.cluster = cluster;
    }

    /** {@return whether no pod violates a rule} */
    boolean allHold(int[] at) {
        return violations(at) == 0;
    }

    /** {@return the number of pairs of a pod and a rule that it violates} */
    int violations(int[] at) {
        int violations = 0;
        for (int pod = 0; pod < at.length; pod++) {
            violations += violations(pod, at);
        }
        return violations;
    }

    /** {@return the number of its rules that a pod violates} */
    int violations(int pod, int[] at) {
        int violations = 0;
        for (SmallRule rule : cluster.rulesOf(pod).values()) {
            violations += isBroken(rule, pod, at) ? 1 : 0;
        }
        return violations;
    }

    /**
     * {@return whether the scheduler would place the pod on a node if all other pods stay: the pod's own rules and the
     * anti-affinity of the others allow it}
     */
    boolean fits(int pod, int node, int[] at) {
        int from = at[pod];
        at[pod] = node;
        boolean fits = violations(pod, at) == 0;
        for (int other = 0; fits && other < at.length; other++) {
            fits = other == pod || !repels(other, pod, at);
        }
        at[pod] = from;
        return fits;
    }

    private boolean repels(int owner, int pod, int[] at) {
        return cluster.rulesOf(owner).get(SmallRule.Kind.APART) instanceof SmallRule.Apart(int other, boolean byZone)
                && cluster.workloadOf(pod) == other
                && domain(at[owner], byZone) == domain(at[pod], byZone);
    }

    /** {@return whether a pod violates a rule} */
    boolean isBroken(SmallRule rule, int pod, int[] at) {
        return switch (rule) {
            case SmallRule.Ssd _ -> !cluster.nodes().get(at[pod]).ssd();
            case SmallRule.Near(int other, boolean byZone) -> isAlone(pod, other, byZone, at);
            case SmallRule.Apart(int other, boolean byZone) -> isIn(domain(at[pod], byZone), pod, other, byZone, at);
            case SmallRule.Evenly evenly -> isTooFull(evenly, pod, at);
        };
    }

    private boolean isAlone(int pod, int other, boolean byZone, int[] at) {
        if (isIn(domain(at[pod], byZone), pod, other, byZone, at)) {
            return false;
        }
        boolean first = cluster.workloadOf(pod) == other;
        for (int partner = 0; first && partner < at.length; partner++) {
            first = partner == pod || cluster.workloadOf(partner) != other;
        }
        return !first;
    }

    private boolean isIn(int domain, int pod, int workload, boolean byZone, int[] at) {
        for (int other = 0; other < at.length; other++) {
            if (other != pod && cluster.workloadOf(other) == workload && domain(at[other], byZone) == domain) {
                return true;
            }
        }
        return false;
    }

    private boolean isTooFull(SmallRule.Evenly rule, int pod, int[] at) {
        boolean onlySsd = cluster.rulesOf(pod).containsKey(SmallRule.Kind.SSD);
        int least = Integer.MAX_VALUE;
        int own = 0;
        for (int node = 0; node < cluster.nodes().size(); node++) {
            if (!onlySsd || cluster.nodes().get(node).ssd()) {
                int domain = domain(node, rule.byZone());
                int count = 0;
                for (int other = 0; other < at.length; other++) {
                    count += other != pod
                                    && cluster.workloadOf(other) == rule.workload()
                                    && (!onlySsd
                                            || cluster.nodes().get(at[other]).ssd())
                                    && domain(at[other], rule.byZone()) == domain
                            ? 1
                            : 0;
                }
                least = Math.min(least, count);
                own = domain == domain(at[pod], rule.byZone()) ? count : own;
            }
        }
        return own + 1 - (least == Integer.MAX_VALUE ? 0 : least) > rule.maxSkew();
    }

    private int domain(int node, boolean byZone) {
        return byZone ? cluster.nodes().get(node).zone() : node;
    }
}

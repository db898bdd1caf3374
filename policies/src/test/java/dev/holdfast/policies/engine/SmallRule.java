package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;

import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PodTraits;
import dev.holdfast.policies.testing.Spreads;
import java.util.Random;

/** A rule of all pods of a workload in a {@link SmallCluster}. */
sealed interface SmallRule {
    /** The kinds of rules. */
    enum Kind {
        SSD,
        NEAR,
        APART,
        EVENLY
    }

    /** {@return the trait of a pod with this rule} */
    PodTrait trait();

    /** {@return a random rule of this kind for a workload} */
    static SmallRule random(Kind kind, int workload, int workloads, Random random) {
        boolean byZone = random.nextBoolean();
        return switch (kind) {
            case SSD -> new Ssd();
            case NEAR -> new Near(random.nextInt(workloads), byZone);
            case APART -> new Apart(random.nextInt(workloads), byZone);
            case EVENLY -> new Evenly(workload, 1 + random.nextInt(2), byZone);
        };
    }

    private static String key(boolean byZone) {
        return byZone ? Facts.ZONE : Facts.HOSTNAME;
    }

    /** Node affinity: only nodes with the label disk=ssd. */
    record Ssd() implements SmallRule {
        @Override
        public PodTrait trait() {
            return PodTraits.nodeSelector("disk", "ssd");
        }
    }

    /** Pod affinity: in the zone, or on the node, of a pod of the other workload. */
    record Near(int other, boolean byZone) implements SmallRule {
        @Override
        public PodTrait trait() {
            return PodTraits.near(term(app(SmallCluster.app(other)), key(byZone)));
        }
    }

    /** Pod anti-affinity: not in the zone, or not on the node, of a pod of the other workload. */
    record Apart(int other, boolean byZone) implements SmallRule {
        @Override
        public PodTrait trait() {
            return PodTraits.apartFrom(term(app(SmallCluster.app(other)), key(byZone)));
        }
    }

    /** Topology spread of the workload itself, over zones or nodes. */
    record Evenly(int workload, int maxSkew, boolean byZone) implements SmallRule {
        @Override
        public PodTrait trait() {
            return PodTraits.spread(Spreads.maxSkew(maxSkew, key(byZone), app(SmallCluster.app(workload))));
        }
    }
}

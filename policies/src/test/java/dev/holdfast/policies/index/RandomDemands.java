package dev.holdfast.policies.index;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.testing.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Draws what rules demand, from so few words that rules meet often, and rarely something that cannot be parsed. */
final class RandomDemands {
    static final List<String> APPS = List.of("web", "cache", "batch");
    static final List<String> TIERS = List.of("front", "back");
    static final List<String> HASHES = List.of("h1", "h2");
    static final List<String> ZONES = List.of("z1", "z2", "z3");
    static final List<String> RACKS = List.of("r1", "r2");
    static final List<String> DISKS = List.of("ssd", "hdd");
    static final List<String> TEAMS = List.of("blue", "red");
    static final List<String> NAMESPACES = List.of("shop", "bank", "kube-system");
    static final List<String> TOPOLOGY_KEYS = List.of(Facts.ZONE, Facts.RACK, Facts.HOSTNAME);

    private final Random random;

    RandomDemands(Random random) {
        this.random = random;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    Scheduling scheduling() {
        return new Scheduling(
                chance(15) ? Labels.of("disk", one(DISKS)) : Labels.none(),
                chance(15) ? Optional.of(nodeSelector()) : Optional.empty(),
                chance(30) ? terms() : List.of(),
                chance(40) ? terms() : List.of(),
                chance(40) ? spreads() : List.of(),
                tolerations());
    }

    List<Toleration> tolerations() {
        return chance(25) ? List.of(new Toleration("gpu", "Exists", "", "")) : List.of();
    }

    NodeSelector nodeSelector() {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        do {
            Requirement expression = switch (random.nextInt(6)) {
                case 0 -> new Requirement("disk", "In", List.of(one(DISKS)));
                case 1 -> new Requirement("disk", "NotIn", List.of(one(DISKS)));
                case 2 -> new Requirement(Facts.ZONE, "In", List.of(one(ZONES), one(ZONES)));
                case 3 -> new Requirement(Facts.RACK, "Exists", List.of());
                case 4 -> new Requirement("cores", "Gt", List.of("8"));
                default -> new Requirement("disk", "Near", List.of("x"));
            };
            terms.add(new NodeSelectorTerm(List.of(expression), List.of()));
        } while (chance(25));
        return new NodeSelector(terms);
    }

    List<PodAffinityTerm> terms() {
        List<PodAffinityTerm> terms = new ArrayList<>();
        do {
            terms.add(term());
        } while (chance(30));
        return terms;
    }

    PodAffinityTerm term() {
        return new PodAffinityTerm(
                chance(5) ? Optional.empty() : Optional.of(selector()),
                chance(20) ? List.of(one(NAMESPACES)) : List.of(),
                chance(30) ? Optional.of(namespaceSelector()) : Optional.empty(),
                one(TOPOLOGY_KEYS),
                chance(15) ? List.of("hash") : List.of(),
                chance(8) ? List.of("tier") : List.of());
    }

    LabelSelector namespaceSelector() {
        return switch (random.nextInt(4)) {
            case 0 -> LabelSelector.everything();
            case 1 -> new LabelSelector(Labels.none(), List.of(new Requirement("team", "NotIn", List.of(one(TEAMS)))));
            default -> new LabelSelector(Labels.of("team", one(TEAMS)), List.of());
        };
    }

    LabelSelector selector() {
        return switch (random.nextInt(9)) {
            case 0 -> LabelSelector.everything();
            case 1 -> expression("app", "In", one(APPS), one(APPS));
            case 2 -> expression("tier", "Exists");
            case 3 -> expression("tier", "DoesNotExist");
            case 4 -> expression("app", "NotIn", one(APPS));
            case 5 -> new LabelSelector(Labels.of("app", one(APPS), "tier", one(TIERS)), List.of());
            case 6 -> chance(20) ? expression("app", "Near", "x") : expression(Facts.ZONE, "In", one(ZONES));
            default -> new LabelSelector(Labels.of("app", one(APPS)), List.of());
        };
    }

    private static LabelSelector expression(String key, String operator, String... values) {
        return new LabelSelector(Labels.none(), List.of(new Requirement(key, operator, List.of(values))));
    }

    List<TopologySpreadConstraint> spreads() {
        List<TopologySpreadConstraint> spreads = new ArrayList<>();
        do {
            spreads.add(spread());
        } while (chance(25));
        return spreads;
    }

    TopologySpreadConstraint spread() {
        return new TopologySpreadConstraint(
                1 + random.nextInt(2),
                one(TOPOLOGY_KEYS),
                chance(5) ? Optional.empty() : Optional.of(selector()),
                chance(25) ? 2 + random.nextInt(3) : 1,
                chance(70) ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                chance(40) ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                chance(20) ? List.of("hash") : List.of());
    }
}

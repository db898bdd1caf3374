package dev.holdfast.policies.index;

import dev.holdfast.policies.model.AnnotationRules;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Generates random placement rules from few values, so that they often match. Some of the rules cannot be parsed. */
final class RandomDemands {
    static final String REGION = "topology.kubernetes.io/region";
    static final List<String> APPS = List.of("web", "cache", "batch");
    static final List<String> TIERS = List.of("front", "back");
    static final List<String> HASHES = List.of("h1", "h2");
    static final List<String> ZONES = List.of("z1", "z2", "");
    static final List<String> RACKS = List.of("r1", "r2");
    static final List<String> REGIONS = List.of("eu", "us");
    static final List<String> DISKS = List.of("ssd", "hdd");
    static final List<String> TEAMS = List.of("blue", "red");
    static final List<String> NAMESPACES = List.of("shop", "bank", "void", "kube-system", "kube-node");
    static final List<String> TOPOLOGY_KEYS = List.of(Facts.ZONE, Facts.RACK, Facts.HOSTNAME, REGION);

    /** Values of the label {@code app} that no pod has, to make lists longer than handwritten ones. */
    private static final List<String> OTHER_APPS =
            IntStream.range(0, 20).mapToObj(i -> "other-" + i).toList();

    private static final List<String> NOWHERE =
            IntStream.range(0, 20).mapToObj(i -> "nowhere-" + i).toList();

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

    private String oneOf(String... words) {
        return words[random.nextInt(words.length)];
    }

    Scheduling scheduling() {
        Scheduling ofSpec = new Scheduling(
                chance(15) ? Labels.of("disk", one(DISKS)) : Labels.none(),
                chance(15) ? Optional.of(nodeSelector()) : Optional.empty(),
                chance(30) ? terms() : List.of(),
                chance(40) ? terms() : List.of(),
                chance(40) ? spreads() : List.of(),
                tolerations());
        return ofSpec.withAnnotationRules(chance(25) ? annotationRules() : AnnotationRules.none());
    }

    AnnotationRules annotationRules() {
        if (chance(10)) {
            return new AnnotationRules.Refused("it has no rules");
        }
        List<AnnotationRules.NamedRule> rules = new ArrayList<>();
        do {
            rules.add(new AnnotationRules.NamedRule("rule-" + rules.size(), annotationRule()));
        } while (chance(40));
        return new AnnotationRules.Given(
                chance(70) ? AnnotationRules.Standing.ADDED : AnnotationRules.Standing.REPLACING, rules);
    }

    private AnnotationRules.Content annotationRule() {
        return switch (random.nextInt(4)) {
            case 0 -> new AnnotationRules.OnNodes(nodeSelector());
            case 1 -> new AnnotationRules.Near(term());
            case 2 -> new AnnotationRules.ApartFrom(term());
            default -> new AnnotationRules.Spread(spread());
        };
    }

    List<Toleration> tolerations() {
        return switch (random.nextInt(8)) {
            case 0 -> List.of(new Toleration("gpu", "Exists", "", ""));
            case 1 -> List.of(new Toleration("gpu", "Equal", "", "NoSchedule"));
            case 2 -> List.of(new Toleration("", "Exists", "", ""));
            case 3 -> List.of(new Toleration("gpu", "", "", ""), new Toleration("cpu", "Gt", "3", ""));
            default -> List.of();
        };
    }

    NodeSelector nodeSelector() {
        List<NodeSelectorTerm> terms = new ArrayList<>();
        do {
            terms.add(nodeTerm());
        } while (chance(25));
        return new NodeSelector(terms);
    }

    private NodeSelectorTerm nodeTerm() {
        return switch (random.nextInt(10)) {
            case 0 -> new NodeSelectorTerm(List.of(), List.of());
            case 1 -> new NodeSelectorTerm(List.of(), List.of(nodeField()));
            case 2 ->
                new NodeSelectorTerm(List.of(nodeLabel(), new Requirement("disk", "Exists", List.of())), List.of());
            default -> new NodeSelectorTerm(List.of(nodeLabel()), List.of());
        };
    }

    private Requirement nodeField() {
        return new Requirement("metadata.name", oneOf("In", "NotIn"), List.of("n" + (1 + random.nextInt(4))));
    }

    private Requirement nodeLabel() {
        return switch (random.nextInt(8)) {
            case 0 -> new Requirement("disk", "In", List.of(one(DISKS)));
            case 1 -> new Requirement("disk", "NotIn", List.of(one(DISKS)));
            case 2 -> new Requirement(Facts.ZONE, "In", List.of(one(ZONES), one(ZONES)));
            case 3 -> new Requirement(Facts.RACK, "Exists", List.of());
            case 4 -> new Requirement("cores", "Gt", List.of("8"));
            case 5 -> new Requirement(REGION, "NotIn", List.of(one(REGIONS)));
            case 6 -> new Requirement("disk", "DoesNotExist", List.of());
            default -> new Requirement("disk", "Near", List.of("x"));
        };
    }

    List<PodAffinityTerm> terms() {
        List<PodAffinityTerm> terms = new ArrayList<>();
        int least = chance(4) ? 5 : 1;
        do {
            terms.add(term());
        } while (terms.size() < least || chance(30));
        return terms;
    }

    PodAffinityTerm term() {
        return new PodAffinityTerm(
                chance(5) ? Optional.empty() : Optional.of(selector()),
                chance(20) ? namespaces() : List.of(),
                chance(30) ? Optional.of(namespaceSelector()) : Optional.empty(),
                one(TOPOLOGY_KEYS),
                chance(15) ? List.of(oneOf("hash", Facts.ZONE)) : List.of(),
                chance(8) ? List.of("tier") : List.of());
    }

    private List<String> namespaces() {
        List<String> some = List.of(one(NAMESPACES), one(NAMESPACES), "nowhere");
        return chance(8) ? joined(some, NOWHERE) : some.subList(0, 1 + random.nextInt(3));
    }

    private static List<String> joined(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    LabelSelector namespaceSelector() {
        return switch (random.nextInt(7)) {
            case 0 -> LabelSelector.everything();
            case 1 -> expression("team", "NotIn", one(TEAMS));
            case 2 -> expression("team", "DoesNotExist");
            case 3 ->
                new LabelSelector(
                        Labels.of("team", one(TEAMS)),
                        List.of(new Requirement("team", chance(30) ? "Near" : "Exists", List.of())));
            default -> new LabelSelector(Labels.of("team", one(TEAMS)), List.of());
        };
    }

    LabelSelector selector() {
        return switch (random.nextInt(15)) {
            case 0 -> LabelSelector.everything();
            case 1 -> expression("app", "In", one(APPS), one(APPS));
            case 2 -> expression("tier", "Exists");
            case 3 -> expression("tier", "DoesNotExist");
            case 4 -> expression("app", "NotIn", one(APPS));
            case 5 -> new LabelSelector(Labels.of("app", one(APPS), "tier", one(TIERS)), List.of());
            case 6 -> chance(20) ? expression("app", "Near", "x") : expression(Facts.ZONE, "In", one(ZONES));
            case 7 -> expression(REGION, "NotIn", one(REGIONS));
            case 8 -> expression(Facts.ZONE, "DoesNotExist");
            case 9 ->
                new LabelSelector(
                        Labels.of("app", one(APPS), Facts.ZONE, one(ZONES)),
                        List.of(new Requirement("tier", "In", List.of("front", "back", "side"))));
            case 10 -> new LabelSelector(Labels.none(), List.of(oneOfManyApps(oneOf("In", "NotIn"))));
            case 11 -> new LabelSelector(Labels.of("app", ""), List.of());
            default -> new LabelSelector(Labels.of("app", one(APPS)), List.of());
        };
    }

    /**
     * {@return an expression with a long list of apps, as a tool may generate it; the value {@code web} is in it twice}
     */
    private Requirement oneOfManyApps(String operator) {
        return new Requirement("app", operator, joined(List.of("web", one(APPS), "web"), OTHER_APPS));
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
                chance(25) ? 2 + random.nextInt(4) : 1,
                chance(70) ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                chance(40) ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                chance(20) ? List.of("hash", Facts.ZONE).subList(0, 1 + random.nextInt(2)) : List.of());
    }
}

package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PolicyRule;
import dev.holdfast.crds.v1alpha1.RequiredNodeAffinity;
import dev.holdfast.crds.v1alpha1.core.PodAffinityTerm;
import dev.holdfast.crds.v1alpha1.core.TopologySpreadConstraint;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy.NamedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code rules}: a policy's own rules, or those in the annotation of a pod. */
public final class RuleReader {
    private RuleReader() {}

    /**
     * Rules that were read, with what is wrong with them.
     *
     * @param rules in the order written
     * @param problems invalid values, and fields or values that this version does not know
     */
    public record Reading(List<NamedRule> rules, List<SpecProblem> problems) {
        public Reading {
            rules = List.copyOf(rules);
            problems = List.copyOf(problems);
        }
    }

    /** Reads the rules of a pod, which may have no part that this version does not know. */
    public static Reading ofPod(List<PolicyRule> written) {
        FieldPath fieldPath = FieldPath.root("rules");
        EnforcementReader unused = new EnforcementReader(Mode.AUDIT, Duration.ZERO, PolicyId.cluster("pod"));
        List<NamedRule> rules = read(written, unused, fieldPath);
        List<SpecProblem> problems = new ArrayList<>(fieldPath.problems());
        problems.addAll(fieldPath.unknown());
        return new Reading(rules, problems);
    }

    /** Reads all rules and returns those whose mode is not Disabled, in the order of the spec; records all errors. */
    static List<NamedRule> read(List<PolicyRule> written, EnforcementReader enforcement, FieldPath fieldPath) {
        Names.check(written.stream().map(PolicyRule::name).toList(), fieldPath);
        List<NamedRule> read = new ArrayList<>();
        Map<RuleIdentity, String> contents = new HashMap<>();
        for (int i = 0; i < written.size(); i++) {
            FieldPath at = fieldPath.item(i);
            Optional<NamedRule> rule = one(written.get(i), enforcement, at)
                    .filter(it -> it.enforcement().mode() != Mode.DISABLED);
            rule.map(it -> contents.putIfAbsent(it.rule().identity(), it.name()))
                    .ifPresent(same -> at.refuse("is identical to rule '" + same + "': remove one of the two"));
            rule.ifPresent(read::add);
        }
        return read;
    }

    /** Reads one rule; records its errors and returns empty if its kind is missing or unknown to this version. */
    private static Optional<NamedRule> one(PolicyRule written, EnforcementReader enforcement, FieldPath fieldPath) {
        fieldPath.unknownFields(written.unknownFields().keySet());
        List<Rule> kinds = kinds(written, fieldPath);
        // The field of a kind that only a newer version knows is an unknown field, and recorded as such.
        boolean newer = kinds.isEmpty() && !written.unknownFields().isEmpty();
        if (kinds.size() != 1 && !newer) {
            fieldPath.refuse("must have exactly one of `nodeAffinity`, `podAffinityTerm`, `podAntiAffinityTerm` or"
                    + " `topologySpreadConstraint`");
        }
        return kinds.stream().findFirst().map(rule -> {
            Enforcement kept = enforcement.read(written, rule.kind(), fieldPath);
            return new NamedRule(written.name(), rule, kept);
        });
    }

    private static List<Rule> kinds(PolicyRule written, FieldPath fieldPath) {
        List<Rule> kinds = new ArrayList<>();
        RequiredNodeAffinity nodes = written.nodeAffinity();
        if (nodes != null) {
            kinds.add(nodeAffinity(nodes, fieldPath.field("nodeAffinity")));
        }
        PodAffinityTerm near = written.podAffinityTerm();
        if (near != null) {
            kinds.add(new Rule.PodAffinity(List.of(PodTermReader.affinity(near, fieldPath.field("podAffinityTerm")))));
        }
        PodAffinityTerm apart = written.podAntiAffinityTerm();
        if (apart != null) {
            kinds.add(new Rule.PodAntiAffinity(
                    PodTermReader.antiAffinity(apart, fieldPath.field("podAntiAffinityTerm"))));
        }
        TopologySpreadConstraint spread = written.topologySpreadConstraint();
        if (spread != null) {
            kinds.add(new Rule.TopologySpread(
                    SpreadReader.read(spread, fieldPath.field("topologySpreadConstraint")), List.of()));
        }
        return kinds;
    }

    private static Rule nodeAffinity(RequiredNodeAffinity written, FieldPath fieldPath) {
        FieldPath required = fieldPath.field("required");
        if (written.required() == null) {
            required.refuse("must be given");
            return new Rule.NodeAffinity(Labels.none(), Optional.empty());
        }
        return new Rule.NodeAffinity(Labels.none(), Optional.of(NodeTermReader.read(written.required(), required)));
    }
}

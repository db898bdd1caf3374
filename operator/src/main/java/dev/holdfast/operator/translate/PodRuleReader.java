package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PodRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.RuleKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code podRules}: the kinds of rules in the pods' own spec that a policy audits or enforces. */
final class PodRuleReader {
    private PodRuleReader() {}

    /** Reads all entries and returns the enforcement of each kind whose mode is not Off; records all errors. */
    static Map<RuleKind, Enforcement> read(List<PodRule> written, EnforcementReader enforcement, FieldPath fieldPath) {
        Map<RuleKind, Enforcement> read = new EnumMap<>(RuleKind.class);
        for (int i = 0; i < written.size(); i++) {
            PodRule entry = written.get(i);
            FieldPath at = fieldPath.item(i);
            at.unknownFields(entry.unknownFields().keySet());
            Optional<RuleKind> kind = kind(entry.kind(), at.field("kind"));
            if (kind.isPresent() && read.put(kind.get(), enforcement.read(entry, kind.get(), at)) != null) {
                at.field("kind").refuse("'" + kind.get().label() + "' must be named once only");
            }
        }
        read.values().removeIf(it -> it.mode() == Mode.OFF);
        return read;
    }

    private static Optional<RuleKind> kind(dev.holdfast.crds.v1alpha1.choice.RuleKind written, FieldPath fieldPath) {
        return switch (written) {
            case NODE_AFFINITY -> Optional.of(RuleKind.NODE_AFFINITY);
            case POD_AFFINITY -> Optional.of(RuleKind.POD_AFFINITY);
            case POD_ANTI_AFFINITY -> Optional.of(RuleKind.POD_ANTI_AFFINITY);
            case TOPOLOGY_SPREAD -> Optional.of(RuleKind.TOPOLOGY_SPREAD);
            case UNRECOGNIZED -> {
                fieldPath.unknown(
                        "must be NodeAffinity, PodAffinity, PodAntiAffinity or TopologySpread; this version of"
                                + " Holdfast knows no other");
                yield Optional.empty();
            }
        };
    }
}

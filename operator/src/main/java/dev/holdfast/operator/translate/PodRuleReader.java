package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PodRule;
import dev.holdfast.crds.v1alpha1.PolicySpec;
import dev.holdfast.crds.v1alpha1.choice.PodRuleSelection;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.RuleKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code podRuleSelection} and {@code podRules}: the kinds of rules in the pods' own spec that a policy audits or
 * enforces.
 */
final class PodRuleReader {
    private static final List<PodRule> ALL = Stream.of(
                    dev.holdfast.crds.v1alpha1.choice.RuleKind.NODE_AFFINITY,
                    dev.holdfast.crds.v1alpha1.choice.RuleKind.POD_AFFINITY,
                    dev.holdfast.crds.v1alpha1.choice.RuleKind.POD_ANTI_AFFINITY,
                    dev.holdfast.crds.v1alpha1.choice.RuleKind.TOPOLOGY_SPREAD)
            .map(PodRule::of)
            .toList();

    private PodRuleReader() {}

    /**
     * Reads {@code podRuleSelection} and {@code podRules} and returns the enforcement of each kind whose mode is not
     * Disabled; records all errors.
     *
     * @param fieldPath the path of the spec
     */
    static Map<RuleKind, Enforcement> read(PolicySpec spec, EnforcementReader enforcement, FieldPath fieldPath) {
        List<PodRule> written = spec.podRules();
        FieldPath selection = fieldPath.field("podRuleSelection");
        return switch (selection(spec)) {
            case LISTED -> {
                if (written == null || written.isEmpty()) {
                    fieldPath
                            .field("podRules")
                            .refuse("must have 1 to 4 entries; for none, write `podRuleSelection: None`");
                }
                yield listed(Objects.requireNonNullElse(written, List.of()), enforcement, fieldPath.field("podRules"));
            }
            case ALL -> {
                refuseList(written, selection);
                yield listed(ALL, enforcement, fieldPath.field("podRules"));
            }
            case NONE -> {
                refuseList(written, selection);
                yield Map.of();
            }
            case UNRECOGNIZED -> {
                selection.unknown("must be All, Listed or None; this version of Holdfast knows no other");
                yield listed(ALL, enforcement, fieldPath.field("podRules"));
            }
        };
    }

    /** {@return which kinds the policy handles: its {@code podRuleSelection}, or what its absence means} */
    static PodRuleSelection selection(PolicySpec spec) {
        return Objects.requireNonNullElse(
                spec.podRuleSelection(), spec.podRules() == null ? PodRuleSelection.ALL : PodRuleSelection.LISTED);
    }

    private static void refuseList(@Nullable List<PodRule> written, FieldPath selection) {
        if (written != null) {
            selection.refuse("must be 'Listed' when `podRules` is given, and only then");
        }
    }

    private static Map<RuleKind, Enforcement> listed(
            List<PodRule> written, EnforcementReader enforcement, FieldPath fieldPath) {
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
        read.values().removeIf(it -> it.mode() == Mode.DISABLED);
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

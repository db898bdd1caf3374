package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicySpec;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicySpec;
import dev.holdfast.crds.v1alpha1.PolicySpec;
import dev.holdfast.crds.v1alpha1.choice.AnnotationRules;
import dev.holdfast.crds.v1alpha1.choice.RuleInjection;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.selector.LabelMatcher;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Translates policy objects into the engine's policies, which are valid, have all defaults and have no rule that is
 * Disabled.
 *
 * <p>The CRD schema refuses most invalid specs earlier. The schema cannot find every error, for example two identical
 * rules, and no API server validates a policy that is read from a file.
 *
 * @param defaultForgiveness the forgiveness of policies that set none, from the operator's configuration
 */
public record PolicyTranslator(Duration defaultForgiveness) {
    /** {@return the translation of a PlacementPolicy, which selects pods of its own namespace} */
    public Translation translate(PlacementPolicy written) {
        ObjectMeta meta = written.getMetadata();
        return translate(
                PolicyId.namespaced(meta.getNamespace(), meta.getName()), meta, Optional.ofNullable(written.getSpec()));
    }

    /** {@return the translation of a ClusterPlacementPolicy, which selects pods of all or some namespaces} */
    public Translation translate(ClusterPlacementPolicy written) {
        ObjectMeta meta = written.getMetadata();
        return translate(PolicyId.cluster(meta.getName()), meta, Optional.ofNullable(written.getSpec()));
    }

    private Translation translate(PolicyId id, ObjectMeta meta, Optional<? extends PolicySpec> spec) {
        if (spec.isEmpty()) {
            return new Translation.Refused(
                    List.of(new SpecProblem("spec", "must be given, if only as {}")), PolicyScheduling.NONE);
        }
        Optional<SpecProblem> tooLarge = SpecSize.problem(spec.get());
        if (tooLarge.isPresent()) {
            return new Translation.Refused(List.of(tooLarge.get()), injected(spec.get()));
        }
        FieldPath fieldPath = FieldPath.root("spec");
        Policy policy = read(id, Objects.requireNonNullElse(meta.getGeneration(), 0L), spec.get(), fieldPath);
        DisruptionControls disruptionControls = DisruptionControlsReader.read(spec.get(), fieldPath);
        if (!fieldPath.problems().isEmpty()) {
            return new Translation.Refused(fieldPath.problems(), injected(spec.get()));
        }
        return fieldPath.unknown().isEmpty()
                ? new Translation.Understood(policy, disruptionControls)
                : new Translation.InPart(
                        Translation.audited(policy, policy.scheduling()), disruptionControls, fieldPath.unknown());
    }

    private Policy read(PolicyId id, long generation, PolicySpec spec, FieldPath fieldPath) {
        fieldPath.unknownFields(spec.unknownFields().keySet());
        Mode mode = EnforcementReader.mode(spec.mode(), fieldPath.field("mode"));
        if (mode == Mode.ENFORCE && spec.podSelector() == null) {
            fieldPath
                    .field("podSelector")
                    .refuse("must be given when `mode` is 'Enforce': name the pods, or write {} to mean all of them");
        }
        Duration forgiveness = EnforcementReader.forgiveness(
                spec.forgivenessSeconds(), defaultForgiveness, fieldPath.field("forgivenessSeconds"));
        EnforcementReader enforcement = new EnforcementReader(mode, forgiveness, id);
        return new Policy(
                id,
                generation,
                mode,
                SelectorReader.absentMatchesAll(spec.podSelector(), fieldPath.field("podSelector"))
                        .orElseGet(() -> SelectorReader.parse(LabelSelector.everything())),
                SelectorReader.absentMatchesAll(spec.nodeSelector(), fieldPath.field("nodeSelector")),
                namespaces(spec, fieldPath),
                PodRuleReader.read(spec, enforcement, fieldPath),
                RuleReader.read(spec.rules(), enforcement, fieldPath.field("rules")),
                scheduling(spec, fieldPath.field("scheduling")),
                annotationRules(spec, enforcement, fieldPath.field("annotationRules")));
    }

    private static Optional<Enforcement> annotationRules(
            PolicySpec spec, EnforcementReader enforcement, FieldPath fieldPath) {
        return switch (Objects.requireNonNullElse(spec.annotationRules(), AnnotationRules.IGNORE)) {
            case IGNORE -> Optional.empty();
            case ALLOW -> Optional.of(enforcement.ofPolicy()).filter(it -> it.mode() != Mode.DISABLED);
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be Ignore or Allow; this version of Holdfast knows no other");
                yield Optional.empty();
            }
        };
    }

    private static PolicyScheduling scheduling(PolicySpec spec, FieldPath fieldPath) {
        return switch (Objects.requireNonNullElse(spec.scheduling(), RuleInjection.NONE)) {
            case NONE -> PolicyScheduling.NONE;
            case INJECT -> {
                if (auditsAny(spec)) {
                    fieldPath.refuse("must be 'InjectAlsoInAudit' when `mode` of the policy or of a rule is 'Audit': it"
                            + " changes new pods");
                }
                yield injecting(spec, fieldPath);
            }
            case INJECT_ALSO_IN_AUDIT -> injecting(spec, fieldPath);
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be None, Inject or InjectAlsoInAudit; this version of Holdfast knows no other");
                yield PolicyScheduling.NONE;
            }
        };
    }

    private static boolean auditsAny(PolicySpec spec) {
        return switch (spec.mode()) {
            case AUDIT -> true;
            case ENFORCE, UNRECOGNIZED ->
                spec.rules().stream().anyMatch(it -> it.mode() == dev.holdfast.crds.v1alpha1.choice.Mode.AUDIT);
            case DISABLED -> false;
        };
    }

    private static PolicyScheduling injecting(PolicySpec spec, FieldPath fieldPath) {
        if (spec.nodeSelector() != null) {
            fieldPath.refuse("must be 'None' with `nodeSelector`: a new pod has no node yet");
        }
        return PolicyScheduling.INJECT;
    }

    /** {@return what the API server does with the rules of a spec, which it injects without asking the operator} */
    private static PolicyScheduling injected(PolicySpec spec) {
        boolean injects = switch (Objects.requireNonNullElse(spec.scheduling(), RuleInjection.NONE)) {
            case INJECT -> spec.mode() == dev.holdfast.crds.v1alpha1.choice.Mode.ENFORCE && !auditsAny(spec);
            case INJECT_ALSO_IN_AUDIT -> spec.mode() != dev.holdfast.crds.v1alpha1.choice.Mode.DISABLED;
            case NONE, UNRECOGNIZED -> false;
        };
        return injects ? PolicyScheduling.INJECT : PolicyScheduling.NONE;
    }

    private static Optional<LabelMatcher> namespaces(PolicySpec spec, FieldPath fieldPath) {
        return switch (spec) {
            case PlacementPolicySpec _ -> Optional.empty();
            case ClusterPlacementPolicySpec cluster ->
                SelectorReader.absentMatchesAll(cluster.namespaceSelector(), fieldPath.field("namespaceSelector"));
        };
    }
}

package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PodRule;
import dev.holdfast.crds.v1alpha1.PolicyRule;
import dev.holdfast.crds.v1alpha1.choice.WhenInfeasible;
import dev.holdfast.operator.config.MaxDuration;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenRequired;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a policy does when a rule breaks: the rule's mode, forgiveness, {@code whenInfeasible}, {@code
 * whenDomainAdded}, {@code victim} and {@code when}. The policy's mode and forgiveness are the defaults.
 *
 * @param mode the policy's mode; no rule of the policy gets a stronger mode
 * @param forgiveness the forgiveness of rules that set none
 * @param policy the policy that has the rules
 */
record EnforcementReader(Mode mode, Duration forgiveness, PolicyId policy) {
    /** Reads the enforcement of one of the policy's own rules; records its errors. The mode may be DISABLED. */
    Enforcement read(PolicyRule written, RuleKind kind, FieldPath fieldPath) {
        return new Enforcement(
                ownMode(written.mode(), fieldPath),
                ownForgiveness(written.forgivenessSeconds(), fieldPath),
                InfeasibleReader.read(written.whenInfeasible(), written.infeasibleEvictAfterSeconds(), kind, fieldPath),
                domainAdded(written.whenDomainAdded(), kind, fieldPath.field("whenDomainAdded")),
                victim(written.victim(), kind, fieldPath.field("victim")),
                whenRequired(written, fieldPath));
    }

    /**
     * Reads the enforcement of one kind of rule in the pods' own spec; records its errors. The mode may be DISABLED.
     */
    Enforcement read(PodRule written, RuleKind kind, FieldPath fieldPath) {
        return new Enforcement(
                ownMode(written.mode(), fieldPath),
                ownForgiveness(written.forgivenessSeconds(), fieldPath),
                InfeasibleReader.read(written.whenInfeasible(), written.infeasibleEvictAfterSeconds(), kind, fieldPath),
                domainAdded(written.whenDomainAdded(), kind, fieldPath.field("whenDomainAdded")));
    }

    /** {@return the enforcement of rules that say nothing of their own: with the policy's mode and forgiveness} */
    Enforcement ofPolicy() {
        return new Enforcement(mode, forgiveness, dev.holdfast.policies.rule.WhenInfeasible.WAIT);
    }

    private Mode ownMode(dev.holdfast.crds.v1alpha1.choice.@Nullable Mode own, FieldPath rule) {
        return own == null ? mode : mode(own, rule.field("mode")).atMost(mode);
    }

    private Duration ownForgiveness(@Nullable Integer seconds, FieldPath rule) {
        return forgiveness(seconds, forgiveness, rule.field("forgivenessSeconds"));
    }

    static Mode mode(dev.holdfast.crds.v1alpha1.choice.Mode written, FieldPath fieldPath) {
        return switch (written) {
            case DISABLED -> Mode.DISABLED;
            case AUDIT -> Mode.AUDIT;
            case ENFORCE -> Mode.ENFORCE;
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be Audit, Enforce or Disabled; this version of Holdfast knows no other");
                yield Mode.AUDIT;
            }
        };
    }

    private static WhenDomainAdded domainAdded(
            dev.holdfast.crds.v1alpha1.choice.WhenDomainAdded written, RuleKind kind, FieldPath fieldPath) {
        return switch (written) {
            case HOLD -> WhenDomainAdded.HOLD;
            case REBALANCE -> {
                if (kind != RuleKind.TOPOLOGY_SPREAD) {
                    fieldPath.refuse("must be 'Hold' for any rule but topology spread");
                }
                yield WhenDomainAdded.REBALANCE;
            }
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be Hold or Rebalance; this version of Holdfast knows no other");
                yield WhenDomainAdded.HOLD;
            }
        };
    }

    private VictimChoice victim(
            dev.holdfast.crds.v1alpha1.choice.VictimChoice written, RuleKind kind, FieldPath fieldPath) {
        return switch (written) {
            case RULE_OWNER -> VictimChoice.RULE_OWNER;
            case LOWEST_PRIORITY -> {
                if (kind != RuleKind.POD_ANTI_AFFINITY) {
                    fieldPath.refuse("must be 'RuleOwner' for any rule but a `podAntiAffinityTerm`");
                }
                if (policy.namespace().isPresent()) {
                    fieldPath.refuse(
                            "must be 'RuleOwner' in a PlacementPolicy: pods other than the rule owner are moved only"
                                    + " for a ClusterPlacementPolicy");
                }
                yield VictimChoice.LOWEST_PRIORITY;
            }
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be RuleOwner or LowestPriority; this version of Holdfast knows no other");
                yield VictimChoice.RULE_OWNER;
            }
        };
    }

    private static WhenRequired whenRequired(PolicyRule written, FieldPath rule) {
        return switch (written.when()) {
            case ALWAYS -> WhenRequired.ALWAYS;
            case POSSIBLE_AT_SCHEDULING -> {
                if (written.whenInfeasible() != WhenInfeasible.WAIT) {
                    rule.field("whenInfeasible").refuse("must be 'Wait' when `when` is 'PossibleAtScheduling'");
                }
                yield WhenRequired.POSSIBLE_AT_SCHEDULING;
            }
            case UNRECOGNIZED -> {
                rule.field("when")
                        .unknown("must be Always or PossibleAtScheduling; this version of Holdfast knows no other");
                yield WhenRequired.POSSIBLE_AT_SCHEDULING;
            }
        };
    }

    static Duration forgiveness(@Nullable Integer seconds, Duration whenAbsent, FieldPath fieldPath) {
        if (seconds == null) {
            return whenAbsent;
        }
        if (seconds < 0 || seconds > MaxDuration.SECONDS) {
            fieldPath.refuse("must be 0 to " + MaxDuration.SECONDS + " (a week), got " + seconds);
            return whenAbsent;
        }
        return Duration.ofSeconds(seconds);
    }
}

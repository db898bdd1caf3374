package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.core.UnsatisfiableAction;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads topology spread constraints, with the defaults of the Kubernetes API. */
final class SpreadReader {
    private static final int DEFAULT_MIN_DOMAINS = 1;

    private SpreadReader() {}

    static TopologySpreadConstraint read(
            dev.holdfast.crds.v1alpha1.core.TopologySpreadConstraint written, FieldPath fieldPath) {
        fieldPath.unknownFields(written.unknownFields().keySet());
        atLeastOne(written.maxSkew(), fieldPath.field("maxSkew"));
        SelectorReader.key(written.topologyKey(), fieldPath.field("topologyKey"));
        if (written.whenUnsatisfiable() != UnsatisfiableAction.DO_NOT_SCHEDULE) {
            fieldPath
                    .field("whenUnsatisfiable")
                    .refuse("must be 'DoNotSchedule': a constraint with 'ScheduleAnyway' is only preferred, and never"
                            + " broken");
        }
        Optional<LabelSelector> labelSelector =
                SelectorReader.absentMatchesNothing(written.labelSelector(), fieldPath.field("labelSelector"));
        int minDomains = Objects.requireNonNullElse(written.minDomains(), DEFAULT_MIN_DOMAINS);
        atLeastOne(minDomains, fieldPath.field("minDomains"));
        MergedKeys.check(written.matchLabelKeys(), labelSelector, fieldPath.field("matchLabelKeys"));
        return new TopologySpreadConstraint(
                written.maxSkew(),
                written.topologyKey(),
                labelSelector,
                minDomains,
                inclusion(
                        written.nodeAffinityPolicy(), NodeInclusionPolicy.HONOR, fieldPath.field("nodeAffinityPolicy")),
                inclusion(written.nodeTaintsPolicy(), NodeInclusionPolicy.IGNORE, fieldPath.field("nodeTaintsPolicy")),
                written.matchLabelKeys());
    }

    private static void atLeastOne(int number, FieldPath fieldPath) {
        if (number < 1) {
            fieldPath.refuse("must be at least 1, got " + number);
        }
    }

    private static NodeInclusionPolicy inclusion(
            dev.holdfast.crds.v1alpha1.core.@Nullable NodeInclusionPolicy written,
            NodeInclusionPolicy whenAbsent,
            FieldPath fieldPath) {
        if (written == null) {
            return whenAbsent;
        }
        return switch (written) {
            case HONOR -> NodeInclusionPolicy.HONOR;
            case IGNORE -> NodeInclusionPolicy.IGNORE;
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be Honor or Ignore; this version of Holdfast knows no other");
                yield whenAbsent;
            }
        };
    }
}

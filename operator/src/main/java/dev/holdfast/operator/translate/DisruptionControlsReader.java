package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicySpec;
import dev.holdfast.crds.v1alpha1.PlacementPolicySpec;
import dev.holdfast.crds.v1alpha1.PolicyException;
import dev.holdfast.crds.v1alpha1.PolicySpec;
import dev.holdfast.crds.v1alpha1.choice.Allowance;
import dev.holdfast.operator.config.MaxDuration;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a policy's disruption controls (the fields that restrict or permit evictions): {@code windows}, {@code
 * exceptions}, {@code allow}, {@code trustedNamespaceSelector}, {@code podOverrides}, {@code maxKeepSeconds} and {@code
 * limits}.
 */
final class DisruptionControlsReader {
    private DisruptionControlsReader() {}

    static DisruptionControls read(PolicySpec spec, FieldPath fieldPath) {
        return new DisruptionControls(
                WindowReader.ofPolicy(spec.windows(), fieldPath.field("windows")),
                exceptions(spec.exceptions(), fieldPath.field("exceptions")),
                allowed(spec.allow(), fieldPath.field("allow")),
                SelectorReader.absentMatchesNothing(
                                spec.trustedNamespaceSelector(), fieldPath.field("trustedNamespaceSelector"))
                        .map(SelectorReader::parse),
                overrides(spec, fieldPath),
                LimitsReader.read(spec.limits(), fieldPath.field("limits")));
    }

    private static List<DisruptionControls.StandingException> exceptions(
            List<PolicyException> written, FieldPath fieldPath) {
        Names.check(written.stream().map(PolicyException::name).toList(), fieldPath);
        List<DisruptionControls.StandingException> exceptions = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            PolicyException exception = written.get(i);
            FieldPath at = fieldPath.item(i);
            at.unknownFields(exception.unknownFields().keySet());
            Optional<LabelSelector> pods =
                    SelectorReader.absentMatchesNothing(exception.podSelector(), at.field("podSelector"));
            if (pods.isEmpty()) {
                at.field("podSelector").refuse("must be given: name the pods, or write {} to mean all of them");
            }
            if (exception.reason().isBlank()) {
                at.field("reason").refuse("must be given: the message of each hold shows it");
            }
            exceptions.add(new DisruptionControls.StandingException(
                    exception.name(),
                    pods.map(SelectorReader::parse).orElseGet(LabelMatcher::nothing),
                    until(exception.expirationTime(), at.field("expirationTime")),
                    exception.reason()));
        }
        return exceptions;
    }

    /** Parses an RFC 3339 time and returns it; records an error and returns empty if the time is invalid. */
    static Optional<Instant> until(@Nullable String written, FieldPath fieldPath) {
        if (written == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(written).toInstant());
        } catch (DateTimeException _) {
            fieldPath.refuse(
                    "must be a time as in 2026-12-31T00:00:00Z (RFC 3339), got '" + QuotedText.of(written) + "'");
            return Optional.empty();
        }
    }

    /**
     * Reads {@code podOverrides} and {@code maxKeepSeconds}. A PlacementPolicy has neither field, and honors all
     * annotations of pods.
     */
    private static PodOverrides overrides(PolicySpec spec, FieldPath fieldPath) {
        return switch (spec) {
            case PlacementPolicySpec _ -> PodOverrides.all();
            case ClusterPlacementPolicySpec cluster -> {
                boolean honored = switch (Objects.requireNonNullElse(
                        cluster.podOverrides(), dev.holdfast.crds.v1alpha1.choice.PodOverrides.HONOR)) {
                    case HONOR -> true;
                    case IGNORE -> false;
                    case UNRECOGNIZED -> {
                        fieldPath
                                .field("podOverrides")
                                .unknown("must be Honor or Ignore; this version of Holdfast knows no other");
                        yield true;
                    }
                };
                Integer longest = cluster.maxKeepSeconds();
                if (longest != null && (longest < 0 || longest > MaxDuration.SECONDS)) {
                    fieldPath
                            .field("maxKeepSeconds")
                            .refuse("must be 0 to " + MaxDuration.SECONDS + " (a week), got " + longest);
                }
                yield new PodOverrides(honored, Optional.ofNullable(longest).map(Duration::ofSeconds));
            }
        };
    }

    private static Set<Reason> allowed(List<Allowance> written, FieldPath fieldPath) {
        Set<Reason> allowed = EnumSet.noneOf(Reason.class);
        for (int i = 0; i < written.size(); i++) {
            switch (written.get(i)) {
                case RUNS_TO_COMPLETION -> allowed.add(Reason.RUNS_TO_COMPLETION);
                case LOCAL_STORAGE -> allowed.add(Reason.LOCAL_STORAGE);
                case TOO_FEW_REPLICAS -> allowed.add(Reason.TOO_FEW_REPLICAS);
                case FOREIGN_SCHEDULER -> allowed.add(Reason.FOREIGN_SCHEDULER);
                case HAS_EVICTION_RESPONDER -> allowed.add(Reason.HAS_EVICTION_RESPONDER);
                case UNKNOWN_CONTROLLER -> allowed.add(Reason.UNKNOWN_CONTROLLER);
                case REPLACEMENT_REFUSED -> allowed.add(Reason.REPLACEMENT_REFUSED);
                case UNRECOGNIZED ->
                    fieldPath
                            .item(i)
                            .unknown("must be RunsToCompletion, LocalStorage, TooFewReplicas, ForeignScheduler,"
                                    + " HasEvictionResponder, UnknownController or ReplacementRefused; this version of"
                                    + " Holdfast knows no other");
            }
        }
        return allowed;
    }
}

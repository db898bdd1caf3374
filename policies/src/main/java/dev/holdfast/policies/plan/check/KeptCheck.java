package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a pod with an annotation or a label that asks not to evict it. Annotations and labels of other tools always
 * count, those of Holdfast as far as the policy honors them.
 */
final class KeptCheck implements Check {
    /** The label by which pods ask Cluster API not to drain them, or to wait until they complete. */
    private static final String DRAIN = "cluster.x-k8s.io/drain";

    private static final Set<String> NO_DRAIN = Set.of("skip", "wait-completed");

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return markedByOthers(candidate.pod())
                .map(mark -> Hold.untilChange(Reason.MARKED_BY_OTHERS, mark + " of the pod asks not to evict the pod"))
                .or(() -> kept(candidate, situation))
                .or(() -> forgiven(candidate, situation));
    }

    private static Optional<Hold> forgiven(Candidate candidate, Situation situation) {
        return candidate
                .strategy()
                .forgivenUntil(candidate, situation.view())
                .filter(situation.now()::isBefore)
                .map(end -> Hold.until(
                        Reason.KEPT,
                        "annotation " + DisruptionAnnotations.FORGIVENESS + " forgives until " + Hold.second(end),
                        end));
    }

    private static Optional<String> markedByOthers(Pod pod) {
        return pod.victimProtection()
                .disruptionAnnotations()
                .forbiddenToOtherTools()
                .map(annotation -> "annotation " + annotation)
                .or(() -> pod.labels().get(DRAIN).filter(NO_DRAIN::contains).map(it -> "label " + DRAIN + "=" + it));
    }

    private static Optional<Hold> kept(Candidate candidate, Situation situation) {
        PodOverrides overrides =
                candidate.requestingPolicy().disruptionControls().overrides();
        Optional<Instant> most = overrides.longest().map(candidate.violation().since()::plus);
        if (!overrides.honorsAt(situation.now(), candidate.violation().since())) {
            return Optional.empty();
        }
        return KeepAnnotations.of(candidate.pod(), situation.view()).stream()
                .flatMap(annotatedObject -> kept(annotatedObject, most, situation).stream())
                .findFirst();
    }

    private static Optional<Hold> kept(
            KeepAnnotations.AnnotatedObject annotatedObject, Optional<Instant> most, Situation situation) {
        WallClock wallClock = situation.planLimits().wallClock();
        DisruptionAnnotations disruptionAnnotations = annotatedObject.disruptionAnnotations();
        if (disruptionAnnotations.keep()) {
            String until = most.map(wallClock::wallTime)
                    .map(end -> " until " + Hold.second(end))
                    .orElse("");
            return Optional.of(new Hold(
                    Reason.KEPT,
                    "annotation " + DisruptionAnnotations.KEEP + " of " + annotatedObject.whose()
                            + " forbids the eviction" + until,
                    most));
        }
        return disruptionAnnotations
                .keepUntil()
                .filter(end -> !wallClock.hasPassed(end, situation.now()))
                .map(end -> most.map(wallClock::wallTime).filter(end::isAfter).orElse(end))
                .map(end -> wallClock.applied(Hold.until(
                        Reason.KEPT,
                        "annotation " + DisruptionAnnotations.KEEP_UNTIL + " of " + annotatedObject.whose()
                                + " forbids the eviction until " + Hold.second(end),
                        end)))
                .map(hold ->
                        new Hold(hold.reason(), hold.message(), hold.nextLook().or(() -> most)));
    }
}

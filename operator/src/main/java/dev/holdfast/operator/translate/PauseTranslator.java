package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.EnforcementPauseSpec;
import dev.holdfast.policies.plan.controls.Pause;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates EnforcementPause objects into the engine's pauses. A field that this version does not know makes the pause
 * invalid, because the field may be meant to pause more.
 */
public final class PauseTranslator {
    private static final Logger LOG = LoggerFactory.getLogger(PauseTranslator.class);

    private PauseTranslator() {}

    /**
     * {@return the pause of a valid spec; for an invalid spec, a pause of all evictions and the errors} If a bug
     * prevents the translation, all evictions are paused too.
     */
    public static PauseReading translate(EnforcementPause written) {
        String name = written.getMetadata().getName();
        try {
            return read(name, written);
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("pause", name)
                    .setCause(e)
                    .log("Failed to read a pause: all evictions are paused");
            return unreadable(name, List.of(new SpecProblem("spec", "cannot be read: see the log of the operator")));
        }
    }

    private static PauseReading read(String name, EnforcementPause written) {
        @Nullable EnforcementPauseSpec spec = written.getSpec();
        if (spec == null) {
            return unreadable(name, List.of(new SpecProblem("spec", "must be given, with a reason")));
        }
        Optional<SpecProblem> tooLarge = SpecSize.problem(spec);
        if (tooLarge.isPresent()) {
            return unreadable(name, List.of(tooLarge.get()));
        }
        FieldPath fieldPath = FieldPath.root("spec");
        Pause pause = read(name, spec, fieldPath);
        List<SpecProblem> problems = Stream.concat(fieldPath.problems().stream(), fieldPath.unknown().stream())
                .toList();
        return problems.isEmpty() ? new PauseReading(pause, problems) : unreadable(name, problems);
    }

    private static Pause read(String name, EnforcementPauseSpec spec, FieldPath fieldPath) {
        fieldPath.unknownFields(spec.unknownFields().keySet());
        if (spec.reason().isBlank()) {
            fieldPath.field("reason").refuse("must be given: the message of each hold shows it");
        }
        return new Pause(
                name,
                spec.reason(),
                SelectorReader.absentMatchesAll(spec.namespaceSelector(), fieldPath.field("namespaceSelector")),
                WindowReader.ofPause(spec.windows(), fieldPath.field("windows")),
                DisruptionControlsReader.until(spec.expirationTime(), fieldPath.field("expirationTime")));
    }

    private static PauseReading unreadable(String name, List<SpecProblem> problems) {
        String why = problems.stream().map(SpecProblem::toString).collect(Collectors.joining("; "));
        return new PauseReading(
                Pause.ofEverything(name, "all evictions are paused, since this pause is invalid: " + why), problems);
    }
}

package dev.holdfast.operator.reconcile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.reconcile.status.ConditionReason;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.StatusDraft;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.operator.translate.PauseTranslator;
import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The words that users read in the status of policies and pauses, as the operator writes it. */
public final class StatusWords {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String CONDITIONS = "status.conditions";
    private static final Pattern LEFT_OUT = Pattern.compile("is left out of \\d+ pods? \\((\\w+)\\)");

    private StatusWords() {}

    /** {@return the values of a key in a list such as {@code status.holds} of a policy with this report} */
    public static List<String> listed(String place, String key, PolicyReport report) {
        return elements(place, policy(StatusInputs.inMode(Mode.ENFORCE), Optional.of(report)))
                .map(element -> element.path(key).asText())
                .toList();
    }

    /** {@return the reason of the condition of this type, in a policy with this report} */
    public static List<String> reasons(String type, PolicyReport report) {
        return reasons(type, policy(StatusInputs.inMode(Mode.ENFORCE), Optional.of(report)));
    }

    /** {@return the type of this condition, in the policy and in the pause that have it} */
    public static List<String> types(ConditionType type) {
        JsonNode policy = policy(Mode.ENFORCE, report(Mode.ENFORCE, 0));
        JsonNode pause = pause("{reason: stop}");
        return switch (type) {
            case READY -> List.of(type(policy, 0), type(pause, 0));
            case EFFECTIVE -> List.of(type(policy, 1));
            case COMPLIANT -> List.of(type(policy, 2));
            case ENFORCEMENT_HELD -> List.of(type(policy, 3));
            case SCHEDULING_ENFORCED ->
                List.of(type(injecting(InjectionReport.NOTHING, InjectionSupport.INSTALLED), 4));
            case ACTIVE -> List.of(type(pause, 1));
        };
    }

    private static String type(JsonNode object, int condition) {
        return elements(CONDITIONS, object).toList().get(condition).path("type").asText();
    }

    /** {@return the reason of a condition, in policies and pauses whose condition has this reason} */
    public static List<String> reasons(ConditionReason reason) {
        return switch (reason) {
            case EVALUATED -> reasons("Ready", policy(Mode.ENFORCE, report(Mode.ENFORCE, 0)));
            case NOT_EVALUATED -> reasons("Ready", policy(StatusInputs.inMode(Mode.ENFORCE), Optional.empty()));
            case INVALID_SPEC ->
                Stream.of(reasons("Ready", written("{forgivenessSeconds: -1}")), reasons("Ready", pause("{}")))
                        .flatMap(List::stream)
                        .toList();
            case UNKNOWN_FIELDS -> reasons("Ready", written("{podSelector: {}, weather: []}"));
            case DISABLED -> reasons("Ready", policy(Mode.DISABLED, report(Mode.DISABLED, 0)));
            case HAS_EFFECT -> reasons("Effective", policy(Mode.ENFORCE, report(Mode.ENFORCE, 0)));
            case HAS_EFFECT_IN_PART -> effective(2, NoEffect.Kind.ONE_DOMAIN);
            case SELECTS_NO_POD ->
                reasons("Effective", policy(Mode.ENFORCE, StatusInputs.selectingNone(report(Mode.ENFORCE, 0))));
            case NO_TOPOLOGY_KEY -> effective(1, NoEffect.Kind.KEY_NOWHERE);
            case ONE_DOMAIN -> effective(1, NoEffect.Kind.ONE_DOMAIN);
            case COUNTS_NO_POD -> effective(1, NoEffect.Kind.NO_POD);
            case UNMATCHABLE -> effective(1, NoEffect.Kind.UNMATCHABLE);
            case NOT_EXAMINED ->
                reasons(
                        "Effective",
                        policy(
                                Mode.ENFORCE,
                                StatusInputs.effective(
                                        report(Mode.ENFORCE, 0), new PolicyEffect(1, Map.of(), Set.of("ssd")))));
            case NO_VIOLATIONS -> reasons("Compliant", policy(Mode.ENFORCE, report(Mode.ENFORCE, 0)));
            case VIOLATIONS -> reasons("Compliant", policy(Mode.ENFORCE, report(Mode.ENFORCE, 1)));
            case NOTHING_HELD -> reasons("EnforcementHeld", policy(Mode.ENFORCE, report(Mode.ENFORCE, 1)));
            case AUDIT_MODE -> reasons("EnforcementHeld", policy(Mode.AUDIT, report(Mode.AUDIT, 1)));
            case MAX_MODE -> reasons("EnforcementHeld", policy(Mode.ENFORCE, report(Mode.AUDIT, 1)));
            case INJECTED ->
                scheduling(StatusInputs.leftOut(1, InjectionOutcome.ABSENT, 1), InjectionSupport.INSTALLED);
            case NOT_OBSERVED -> scheduling(InjectionReport.NOTHING, InjectionSupport.INSTALLED);
            case NOT_INJECTED -> scheduling(StatusInputs.uninjected(2), InjectionSupport.INSTALLED);
            case NOT_SERVED -> scheduling(InjectionReport.NOTHING, InjectionSupport.NOT_SERVED);
            case NOT_INSTALLED -> scheduling(InjectionReport.NOTHING, InjectionSupport.NOT_INSTALLED);
            case NO_RULES ->
                reasons("SchedulingEnforced", written("{mode: Enforce, podSelector: {}, scheduling: Inject}"));
            case HONOURED -> reasons("Ready", pause("{reason: stop}"));
            case ACTIVE -> reasons("Active", pause("{reason: stop}"));
            case EXPIRED -> reasons("Active", pause("{reason: stop, expirationTime: '2026-11-20T12:00:00Z'}"));
            case OUTSIDE_WINDOW ->
                reasons(
                        "Active",
                        pause("{reason: stop, windows: [{name: hours, schedule: '5 12 * * *', durationSeconds: 60}]}"));
        };
    }

    /** {@return why the condition SchedulingEnforced says that this rule is left out of pods} */
    public static List<String> omissions(InjectionOutcome outcome) {
        JsonNode policy = injecting(StatusInputs.leftOut(1, outcome, 1), InjectionSupport.INSTALLED);
        String message =
                elements(CONDITIONS, policy).toList().get(4).path("message").asText();
        return LEFT_OUT.matcher(message).results().map(it -> it.group(1)).toList();
    }

    private static List<String> effective(int rules, NoEffect.Kind kind) {
        return reasons(
                "Effective",
                policy(
                        Mode.ENFORCE,
                        StatusInputs.effective(
                                report(Mode.ENFORCE, 0),
                                new PolicyEffect(rules, Map.of("ssd", new NoEffect(kind, "why")), Set.of()))));
    }

    private static List<String> scheduling(InjectionReport injection, InjectionSupport support) {
        return reasons("SchedulingEnforced", injecting(injection, support));
    }

    private static JsonNode injecting(InjectionReport injection, InjectionSupport support) {
        return policy(StatusInputs.injecting(StatusInputs.injecting(Mode.ENFORCE), injection, support));
    }

    private static List<String> reasons(String type, JsonNode object) {
        return elements(CONDITIONS, object)
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("reason").asText())
                .toList();
    }

    private static PolicyReport report(Mode mode, int violating) {
        return StatusInputs.report(3, mode, violating, Map.of());
    }

    private static JsonNode written(String spec) {
        return policy(StatusInputs.entry(spec, Optional.empty()), Optional.empty());
    }

    private static JsonNode policy(Mode asked, PolicyReport report) {
        return policy(StatusInputs.inMode(asked), Optional.of(report));
    }

    private static JsonNode policy(PolicyEntry entry, Optional<PolicyReport> report) {
        return policy(new StatusInput(entry, report, Optional.empty(), Optional.empty(), InjectionSupport.INSTALLED));
    }

    private static JsonNode policy(StatusInput statusInput) {
        PlacementPolicy policy = new PlacementPolicy();
        policy.setStatus(StatusDraft.of(statusInput, Optional.empty(), List.of(), StatusInputs.READ_AT));
        return json(policy);
    }

    private static JsonNode pause(String spec) {
        EnforcementPause pause = PauseStoreTest.pause("freeze", "a", "spec: " + spec);
        pause.setStatus(PauseStatusDraft.of(
                pause, PauseTranslator.translate(pause), WallClock.trusted(Duration.ZERO), StatusInputs.READ_AT));
        return json(pause);
    }

    private static JsonNode json(HasMetadata object) {
        try {
            return JSON.readTree(Serialization.asJson(object));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<JsonNode> elements(String place, JsonNode object) {
        return object.at("/" + place.replace('.', '/')).valueStream();
    }
}

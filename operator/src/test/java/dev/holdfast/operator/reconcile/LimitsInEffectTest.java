package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.EffectiveLimits;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.StatusDraft;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The limits in effect, from a policy's spec through the engine to its status. The operator allows 10 evictions in
 * flight, 5 of them in one namespace and 1 of one workload, and 120 within an hour.
 */
class LimitsInEffectTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final PolicyTranslator TRANSLATOR = new PolicyTranslator(Duration.ofMinutes(5));

    static Stream<Arguments> specs() {
        return Stream.of(
                argumentSet(
                        "a namespaced policy without limits: 5 of its namespace",
                        namespaced("{}"),
                        limits(5, 120, 1, "10%", 1, Optional.empty())),
                argumentSet(
                        "a cluster policy without limits: 10 of all namespaces",
                        cluster("{}"),
                        limits(10, 120, 1, "10%", 1, Optional.empty())),
                argumentSet(
                        "a namespaced policy with lower limits",
                        namespaced("{maxConcurrentEvictions: 3, maxEvictionsPerHour: 7, minReplicas: 2, maxUnavailable:"
                                + " 20%, perWorkload: {maxConcurrentEvictions: 0, maxEvictionsPerHour: 50%}}"),
                        limits(3, 7, 2, "20%", 0, Optional.of("50%"))),
                argumentSet(
                        "a cluster policy with higher limits",
                        cluster("{maxConcurrentEvictions: 30, maxEvictionsPerHour: 700, minReplicas: 0,"
                                + " perWorkload: {maxConcurrentEvictions: 9}}"),
                        limits(10, 120, 0, "10%", 1, Optional.empty())));
    }

    private static Translation namespaced(String limits) {
        return TRANSLATOR.translate(Serialization.unmarshal(
                "metadata: {namespace: shop, name: web, generation: 3}\nspec: {limits: " + limits + "}",
                PlacementPolicy.class));
    }

    private static Translation cluster(String limits) {
        return TRANSLATOR.translate(Serialization.unmarshal(
                "metadata: {name: web, generation: 3}\nspec: {limits: " + limits + "}", ClusterPlacementPolicy.class));
    }

    private static EffectiveLimits limits(
            int concurrent,
            int perHour,
            int minReplicas,
            String maxUnavailable,
            int ofWorkload,
            Optional<String> ofWorkloadPerHour) {
        return new EffectiveLimits(
                concurrent,
                perHour,
                minReplicas,
                new IntOrString(maxUnavailable),
                new EffectiveLimits.PerWorkload(
                        ofWorkload, ofWorkloadPerHour.map(IntOrString::new).orElse(null)));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void theStatusShowsTheLowerLimitOfThePolicyAndTheOperator(Translation translation, EffectiveLimits inEffect) {
        PolicyReport report = report(translation.valid().orElseThrow());
        PolicyEntry entry = new PolicyEntry(
                "uid",
                3,
                translation,
                Optional.of(new PolicyEntry.InForce(3, Mode.AUDIT, Duration.ofMinutes(5))),
                Set.of(),
                START);

        assertThat(Objects.requireNonNull(StatusDraft.of(
                                        new StatusInput(
                                                entry,
                                                Optional.of(report),
                                                Optional.empty(),
                                                Optional.empty(),
                                                InjectionSupport.INSTALLED),
                                        Optional.empty(),
                                        List.of(),
                                        START)
                                .effective())
                        .limits())
                .isEqualTo(inEffect);
    }

    private static PolicyReport report(Translation.Valid policy) {
        Engine engine = new Engine(OperatorConfig.defaults().engineSettings());
        List<Event> events =
                new ArrayList<>(List.of(new Event.PolicyChanged(policy.policy(), policy.disruptionControls())));
        Stream.of(View.values()).map(Event.ViewSynced::new).forEach(events::add);
        for (int second = 1; second <= 32; second++) {
            events.add(new Event.TimePassed());
        }
        List<PolicyReport> reports = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            for (Effect effect : engine.step(events.get(i), START.plusSeconds(i))) {
                if (effect instanceof Effect.Publish(PolicyReport report)) {
                    reports.add(report);
                }
            }
        }
        return reports.getLast();
    }
}

package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a tenant can do against a cluster policy that forgives 60 s: each {@link Tenant} against each
 * {@link EnforcedRule} of the policy. The pods {@code shop/web} are on n1, and only n2 would take one of them.
 */
class TenantMatrixTest {
    private static final PodOverrides HONOR = PodOverrides.all();
    private static final PodOverrides CAPPED = new PodOverrides(true, Optional.of(Duration.ofMinutes(10)));
    private static final PodOverrides IGNORE = new PodOverrides(false, Optional.empty());

    /** The fields that only cluster policies have, or that no user writes. */
    private static final Set<String> NOT_OF_TENANTS = Set.of("id", "generation", "namespaces", "overrides", "victim");

    static Stream<Arguments> cells() {
        return EnforcedRule.all().stream()
                .flatMap(rule -> TenantRows.all(rule)
                        .map(tenant -> argumentSet(tenant.name() + ", against " + rule, rule, tenant)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void aTenantCannotDelayWhatAClusterPolicyEnforces(EnforcedRule rule, Tenant tenant) {
        assertThat(outcome(rule, tenant, HONOR)).as("podOverrides: Honor").isEqualTo(tenant.honored());
        assertThat(outcome(rule, tenant, CAPPED))
                .as("podOverrides: Honor, maxKeepSeconds: 600")
                .isEqualTo(tenant.capped());
        assertThat(outcome(rule, tenant, IGNORE)).as("podOverrides: Ignore").isEqualTo(tenant.ignored());
    }

    private static boolean isOfBystanders(String name) {
        return name.contains("another tenant's pods") || name.contains("pods of its own namespace");
    }

    private static Stream<Arguments> rulesThatCloseNodes(Predicate<String> which) {
        return EnforcedRule.all().stream()
                .flatMap(rule -> TenantRows.all(rule)
                        .filter(tenant -> tenant.capped().equals(TenantRows.MOVED_LATER)
                                && !tenant.honored().contains("Kept"))
                        .filter(tenant -> !tenant.name().contains("holdfast.dev/") && which.test(tenant.name()))
                        .map(tenant -> argumentSet(tenant.name() + ", against " + rule, rule, tenant)));
    }

    static Stream<Arguments> rulesOfBystanders() {
        return rulesThatCloseNodes(TenantMatrixTest::isOfBystanders);
    }

    static Stream<Arguments> rulesForThePod() {
        return rulesThatCloseNodes(name -> !isOfBystanders(name));
    }

    @ParameterizedTest
    @MethodSource("rulesForThePod")
    void withoutMaxKeepSecondsRulesForThePodItselfCloseNodesAsLongAsTheyAreThere(EnforcedRule rule, Tenant tenant) {
        Policy platform = platform(rule, Mode.ENFORCE);
        EngineScenario engineScenario =
                begin(rule, tenant, platform, HONOR, rule.pods(), true).after(Duration.ofDays(2));

        assertThat(engineScenario.requests)
                .noneMatch(request -> request.policy().equals(platform.id()));
    }

    @ParameterizedTest
    @MethodSource("rulesOfBystanders")
    void withoutMaxKeepSecondsRulesOfBystandersCloseNodesForADay(EnforcedRule rule, Tenant tenant) {
        Policy platform = platform(rule, Mode.ENFORCE);
        EngineScenario engineScenario = begin(rule, tenant, platform, HONOR, rule.pods(), true)
                .after(Duration.ofDays(1).minusSeconds(1));
        assertThat(engineScenario.requests)
                .noneMatch(request -> request.policy().equals(platform.id()));

        engineScenario.afterSeconds(31);

        assertThat(engineScenario.requests).anyMatch(request -> request.policy().equals(platform.id()));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void nothingOfATenantMakesAnAuditingClusterPolicyEvict(EnforcedRule rule, Tenant tenant) {
        Policy audit = platform(rule, Mode.AUDIT);
        for (PodOverrides overrides : List.of(HONOR, CAPPED, IGNORE)) {
            EngineScenario engineScenario =
                    begin(rule, tenant, audit, overrides, rule.pods(), true).after(Duration.ofHours(1));

            assertThat(engineScenario.requests)
                    .filteredOn(request -> request.policy().equals(audit.id()))
                    .isEmpty();
            // What a tenant enforces itself is decided for its own policy alone.
            if (!tenant.enforces()) {
                assertThat(outcome(engineScenario)).isEqualTo(audited(tenant, overrides));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void nothingOfATenantEndsTheEngineWhileSomePodsAreHeld(EnforcedRule rule, Tenant tenant) {
        for (Mode mode : List.of(Mode.AUDIT, Mode.ENFORCE)) {
            for (PodOverrides overrides : List.of(HONOR, IGNORE)) {
                for (boolean fits : List.of(true, false)) {
                    EngineScenario engineScenario = begin(
                                    rule, tenant, platform(rule, mode), overrides, rule.pods() + 2, fits)
                            .after(Duration.ofMinutes(5));

                    assertThat(report(engineScenario).policy()).isEqualTo(PolicyId.cluster("platform"));
                }
            }
        }
    }

    @Test
    void thereIsARowForEachFieldThatATenantCanWrite() {
        Set<String> fields = Stream.of(
                        Policy.class,
                        Policy.NamedRule.class,
                        Enforcement.class,
                        DisruptionControls.class,
                        PolicyLimits.class)
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .filter(name -> !NOT_OF_TENANTS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(TenantRows.all(EnforcedRule.all().getFirst()).flatMap(row -> row.fields().stream()))
                .containsAll(fields)
                .allSatisfy(field -> assertThat(fields).contains(field));
    }

    static Stream<Arguments> annotations() {
        return DisruptionAnnotations.KEYS.stream().map(key -> argumentSet(key, key));
    }

    @ParameterizedTest
    @MethodSource("annotations")
    void thereIsARowForEachAnnotationThatATenantCanWrite(String key) {
        assertThat(TenantRows.all(EnforcedRule.all().getFirst()))
                .anySatisfy(row -> assertThat(row.name()).contains(key));
    }

    private static Policy platform(EnforcedRule rule, Mode mode) {
        Enforcement enforcement = new Enforcement(mode, FORGIVENESS, WhenInfeasible.WAIT);
        return PolicyDraft.of(PolicyId.cluster("platform"), mode)
                .pods(matcher(app("web")))
                .podRules(rule.podRules(enforcement))
                .rules(rule.rules(enforcement))
                .policy();
    }

    private static EngineScenario begin(
            EnforcedRule rule, Tenant tenant, Policy platform, PodOverrides overrides, int pods, boolean fits) {
        List<PodTrait> traits = new ArrayList<>(List.of(on("n1"), replicaOf("web"), rule.ofPods()));
        traits.addAll(tenant.onThePods());
        ClusterBuilder facts = rule.surroundings(fits).replicaSet("web", pods);
        for (int i = 1; i <= pods; i++) {
            facts.pod("web-" + i, traits.toArray(PodTrait[]::new));
        }
        EngineScenario engineScenario = EngineScenario.begin(facts);
        tenant.objects().forEach(objects -> objects.facts().forEach(engineScenario::happens));
        tenant.policies().forEach(engineScenario::event);
        return engineScenario
                .replacingOn("n2")
                .event(new Event.PolicyChanged(
                        platform, ControlsDraft.plain().overrides(overrides).controls()));
    }

    private static PolicyReport report(EngineScenario engineScenario) {
        return Optional.ofNullable(engineScenario.reports.get(PolicyId.cluster("platform")))
                .orElseThrow();
    }

    /** {@return when the first pod is evicted within an hour, in seconds, or why all are still there} */
    private static String outcome(EnforcedRule rule, Tenant tenant, PodOverrides overrides) {
        EngineScenario engineScenario = begin(rule, tenant, platform(rule, Mode.ENFORCE), overrides, rule.pods(), true);
        for (int seconds = 0; seconds <= 3_600; seconds += 30) {
            if (!engineScenario.requests.isEmpty()) {
                return "evicted after " + seconds + " s";
            }
            engineScenario.afterSeconds(30);
        }
        return outcome(engineScenario);
    }

    /** {@return what an auditing policy says where an enforcing one would evict or hold} */
    private static String audited(Tenant tenant, PodOverrides overrides) {
        String enforced = overrides.equals(HONOR)
                ? tenant.honored()
                : overrides.equals(CAPPED) ? tenant.capped() : tenant.ignored();
        // Only a dry run asks the budget.
        return enforced.startsWith("evicted") || enforced.equals("held DisruptionBudgetNeverAllows")
                ? "would evict"
                : enforced;
    }

    private static String outcome(EngineScenario engineScenario) {
        PolicyReport report = report(engineScenario);
        if (report.pods().selected() == 0) {
            return "not selected";
        }
        boolean wouldEvict =
                report.violations().keySet().stream().anyMatch(at -> at.state() == ViolationState.WOULD_EVICT);
        if (!report.holds().isEmpty() && !wouldEvict) {
            return "held "
                    + report.holds().keySet().stream()
                            .map(reason -> reason.label())
                            .sorted()
                            .collect(Collectors.joining(", "));
        }
        return report.violations().keySet().stream()
                .filter(at -> !wouldEvict || at.state() == ViolationState.WOULD_EVICT)
                .map(at -> switch (at.state()) {
                    case FORGIVING -> "forgiving";
                    case HELD -> "held";
                    case WOULD_EVICT -> "would evict";
                    case EVICTING -> "evicting";
                })
                .distinct()
                .sorted()
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), states -> states.isEmpty() ? "no violation" : states));
    }
}

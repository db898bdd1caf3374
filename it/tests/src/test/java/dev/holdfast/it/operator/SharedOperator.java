package dev.holdfast.it.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A JUnit extension that injects a {@link ScenarioRun} on a control plane with the chart installed in mode Enforce. One
 * operator runs there for all tests, with the rights of the chart's ServiceAccount and the chart's configuration. Both
 * end with the JVM. A test fails if it did not check the evictions and deletions in each of its stages.
 */
public final class SharedOperator implements ParameterResolver, AfterEachCallback, TestWatcher {
    private static final Namespace PLAYS = Namespace.create(SharedOperator.class);

    private static boolean asked;
    private static @Nullable Shared shared;

    private record Shared(OperatorProcess operator, KubernetesClient client, AuditTrail trail, String user) {}

    private static synchronized Shared get() {
        if (!asked) {
            asked = true;
            shared = start();
        }
        if (shared == null) {
            throw new IllegalStateException("the shared operator did not start: see the first failure");
        }
        return shared;
    }

    private static Shared start() {
        ControlPlane controlPlane = ControlPlane.start();
        boolean started = false;
        try {
            Shared made = start(controlPlane);
            started = true;
            return made;
        } finally {
            if (!started) {
                controlPlane.close();
            }
        }
    }

    private static Shared start(ControlPlane controlPlane) {
        InstalledChart chart = InstalledChart.install(
                controlPlane, "holdfast", "enforcement.enabled=true", "scheduling.enabled=true", Stage.MANY_STAGES);
        OperatorProcess operator = OperatorProcess.start(
                chart.kubeconfig(), chart.config(), controlPlane.folder().resolve("logs/operator.log"));
        boolean ready = false;
        try {
            await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);
            ready = true;
        } finally {
            if (!ready) {
                System.err.println("the operator's log is\n" + String.join("\n", operator.log()));
                operator.close();
            }
        }
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
        return new Shared(operator, client, controlPlane.auditTrail(), chart.user());
    }

    private static synchronized @Nullable Shared ifStarted() {
        return shared;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ScenarioRun.class;
    }

    @Override
    public ScenarioRun resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Shared all = get();
        ScenarioRun scenarioRun = new ScenarioRun(all.client(), all.trail(), all.user());
        context.getStore(PLAYS).put(ScenarioRun.class, scenarioRun);
        return scenarioRun;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        @Nullable ScenarioRun scenarioRun = context.getStore(PLAYS).get(ScenarioRun.class, ScenarioRun.class);
        if (scenarioRun != null && context.getExecutionException().isEmpty()) {
            assertThat(scenarioRun.openStages())
                    .as("stages whose departures were not checked")
                    .isEmpty();
        }
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        Shared known = ifStarted();
        if (known != null) {
            System.err.println(context.getDisplayName() + " failed; the operator's log is\n"
                    + String.join("\n", known.operator().log()));
        }
    }
}

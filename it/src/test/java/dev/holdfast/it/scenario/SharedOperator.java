package dev.holdfast.it.scenario;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Gives scenarios a {@link Play}: a control plane of their own with the chart installed and enforcing, and one operator
 * that runs beside it with the rights and the configuration of the chart's ServiceAccount. All end with the JVM.
 */
public final class SharedOperator implements ParameterResolver, TestWatcher {
    private static @Nullable Shared shared;

    private record Shared(ControlPlane controlPlane, OperatorProcess operator, Play play) {}

    private static synchronized Shared get() {
        if (shared == null) {
            ControlPlane controlPlane = ControlPlane.start();
            InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true");
            OperatorProcess operator = OperatorProcess.start(
                    chart.kubeconfig(), chart.config(), controlPlane.folder().resolve("logs/operator.log"));
            await("the operator is ready").atMost(Duration.ofSeconds(60)).until(operator::isReady);
            KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(controlPlane.config())
                    .build();
            shared = new Shared(controlPlane, operator, new Play(client, controlPlane.auditTrail(), chart.user()));
        }
        return shared;
    }

    private static synchronized @Nullable Shared ifStarted() {
        return shared;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Play.class;
    }

    @Override
    public Play resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return get().play();
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

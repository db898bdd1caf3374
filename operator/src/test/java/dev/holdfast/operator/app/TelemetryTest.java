package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class TelemetryTest {
    private static List<String> policySeries(Telemetry telemetry, boolean leads) {
        return telemetry
                .scrape(_ -> true, leads)
                .body()
                .lines()
                .filter(line -> line.contains("policy=\"shop/web\""))
                .toList();
    }

    @Test
    void onlyTheLeaderShowsTheSeriesOfPolicies() {
        try (Telemetry telemetry = new Telemetry(() -> Samples.SINCE)) {
            telemetry.metrics().publish(Samples.report(Samples.POLICY));
            telemetry.metrics().ready(Samples.POLICY, Metrics.Readiness.READY);

            assertThat(policySeries(telemetry, false)).isEmpty();
            assertThat(policySeries(telemetry, true)).isNotEmpty();
        }
    }
}

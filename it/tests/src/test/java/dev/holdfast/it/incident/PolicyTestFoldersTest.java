package dev.holdfast.it.incident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.policytest.PolicyTests;
import dev.holdfast.operator.offline.policytest.TestReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The incidents are played by {@code holdfast test} too, whose scheduler and controllers are others. The results are
 * the same, except for the rolling update, whose {@code test.yaml} says why.
 */
class PolicyTestFoldersTest {
    @Test
    void incidentsPassAsPolicyTests() throws DumpException {
        TestReport report = PolicyTests.in(
                        List.of("src/test/resources/incidents"),
                        warning -> assertThat(warning).isEmpty())
                .run(_ -> {});

        assertThat(report.tests())
                .allSatisfy(test -> assertThat(test.deviations())
                        .as("%s %s", test.name(), test.error())
                        .isEmpty())
                .allMatch(TestReport.Result::passed)
                .hasSize(20);
    }
}

package dev.holdfast.it.incident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.incident.Incident.Look;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each incident with all checks, and once more without the checks that prevent its harm. */
@Execution(ExecutionMode.CONCURRENT)
class IncidentTest {
    static Stream<Incident> incidents() {
        return Incident.all();
    }

    @ParameterizedTest
    @MethodSource("incidents")
    void anIncidentDoesNoHarm(Incident incident) {
        IncidentRun incidentRun = new IncidentRun(incident, Set.of(), true);
        for (Look expected : incident.looks()) {
            incidentRun.passUntil(expected.at());
            assertThat(incidentRun.look(expected))
                    .as("%s\n%s", incident.story(), incidentRun.told())
                    .isEqualTo(expected);
        }
        assertThat(incident.looks().getLast().at()).as("the last look").isEqualTo(incident.end());
    }

    @ParameterizedTest
    @MethodSource("incidents")
    void withoutItsGateItDoesHarm(Incident incident) {
        IncidentRun incidentRun = new IncidentRun(incident, incident.without(), incident.budgetsCount());
        incidentRun.passUntil(incident.harm().at());
        assertThat(incidentRun.look(incident.harm()))
                .as("%s\n%s", incident.story(), incidentRun.told())
                .isEqualTo(incident.harm());
        IncidentRun guarded = new IncidentRun(incident, Set.of(), true);
        guarded.passUntil(incident.harm().at());
        assertThat(guarded.look(incident.harm())).as("with the check").isNotEqualTo(incident.harm());
    }
}

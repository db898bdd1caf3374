package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a module's go.mod tells its build. */
class GoModuleTest {
    private static GoModule module(String name, String versioned, String flags) {
        return new GoModule(
                name, "something", "no time", List.of(), versioned, flags, new GoModule.ModuleFiles("", "", ""));
    }

    @Test
    void theProgramsOfTheControlPlaneTellTheVersionThatIsPinned() {
        assertThat(Programs.MODULE.version()).matches("v1\\.\\d+\\.\\d+");
        assertThat(Programs.MODULE.linkerFlags())
                .isEqualTo("-s -w -X k8s.io/component-base/version.gitVersion=%s".formatted(Programs.MODULE.version())
                        + " -X k8s.io/component-base/version.gitMajor=1"
                        + " -X k8s.io/component-base/version.gitMinor="
                        + Programs.MODULE.version().split("\\.")[1]);
    }

    @Test
    void theDeschedulerIsPinnedToo() {
        GoModule descheduler = module("descheduler", "sigs.k8s.io/descheduler", "-X version=%1$s");

        assertThat(descheduler.linkerFlags()).isEqualTo("-s -w -X version=v0.36.0");
    }

    @Test
    void aModuleThatIsNotRequiredHasNoVersion() {
        assertThatThrownBy(() -> module("descheduler", "example.com/none", "").version())
                .isInstanceOf(ControlPlaneException.class)
                .hasMessage("it/descheduler/go.mod does not require example.com/none");
    }
}

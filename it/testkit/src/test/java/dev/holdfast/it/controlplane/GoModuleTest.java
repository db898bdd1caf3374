package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a {@link GoModule} reads from its go.mod. */
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
    void everyRequiredModuleCanGiveItsVersion() {
        GoModule kwok = module("controlplane", "sigs.k8s.io/kwok", "-X version=%1$s");

        assertThat(kwok.linkerFlags()).isEqualTo("-s -w -X version=v0.8.0");
    }

    @Test
    void aModuleThatIsNotRequiredHasNoVersion() {
        assertThatThrownBy(() -> module("controlplane", "example.com/none", "").version())
                .isInstanceOf(ControlPlaneException.class)
                .hasMessage("go.mod of controlplane does not require example.com/none");
    }
}

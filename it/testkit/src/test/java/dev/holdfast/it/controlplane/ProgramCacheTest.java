package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks of {@link ProgramCache} before a build. */
class ProgramCacheTest {

    @Test
    void aMissingToolIsSaidInOneLineThatNamesWhatToInstall() {
        Prerequisite missing =
                new Prerequisite("no-such-tool", "it builds things: install the package no-such-package");

        assertThatThrownBy(missing::require)
                .isInstanceOf(ControlPlaneException.class)
                .hasMessage("no-such-tool is not on the PATH; it builds things: install the package no-such-package");
    }

    @ParameterizedTest
    @CsvSource({
        "go1.25.9, true",
        "go1.9, true",
        "go1.26, false",
        "go1.26.8, false",
        "go1.27rc1, false",
        "devel go1.25-0a1b2c, false"
    })
    void aGoBefore126IsTooOld(String version, boolean tooOld) {
        assertThat(GoBuild.isTooOld(version)).isEqualTo(tooOld);
    }
}

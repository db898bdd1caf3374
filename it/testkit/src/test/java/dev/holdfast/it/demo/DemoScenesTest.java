package dev.holdfast.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.demo.SimulatedDemo;
import org.junit.jupiter.api.Test;

class DemoScenesTest {
    @Test
    void theSimulatedScenesHaveTheNamesTitlesAndEndingsOfTheRealOnes() {
        assertThat(SimulatedDemo.play().scenes())
                .isEqualTo(DemoScenes.all().stream().map(DemoScene::scene).toList());
    }
}

package dev.holdfast.operator.offline.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.operator.offline.dump.DumpFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedDemoTest {
    private final StringWriter out = new StringWriter();

    private boolean print(SimulatedDemo demo) {
        return demo.print(new PrintWriter(out), TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);
    }

    /** {@return the file of a scene in which the test expects another hold} */
    private static DumpFile.Content expectingAnotherHold(String scene, String file) {
        return () -> {
            try (InputStream written = SimulatedDemo.resource(scene, file).open()) {
                String text = new String(written.readAllBytes(), UTF_8);
                return new ByteArrayInputStream(text.replace("reason: Infeasible", "reason: LabelBreaker")
                        .getBytes(UTF_8));
            }
        };
    }

    @Test
    void everySceneIsToldAsTheRealDemoTellsIt() {
        assertThat(print(SimulatedDemo.play())).isTrue();

        assertThat(out).hasToString("""
              0.0s  simulated, without a cluster: the operator's own planner plays the scenes in virtual time
              0.0s  after a start the operator watches for 30 s before it evicts; otherwise it would act at once
                    on what it sees first

            1/6 node-affinity: web requires disk=ssd, and node n1 changes to disk=hdd
              5.0s  violated  web-1 since label disk of node n1 changed ssd -> hdd
                    due       at 00:00:30Z (forgiveness 10s) unless n1 matches disk In [ssd]
             30.0s  evicted   web-1 from n1
             61.0s  moved     web-1 from n1 to n2: Ready, and the rule holds
                    => as expected: 1 pod moved to n2; web runs on n2

            2/6 pod-affinity: web must run in the zone of cache, and cache moves to zone b
             26.0s  violated  web-1 since pod cache-1 left
                    due       at 00:00:36Z (forgiveness 10s) unless a matching pod runs in zone=a
             36.0s  evicted   web-1 from a1
             67.0s  moved     web-1 from a1 to b1: Ready, and the rule holds
                    => as expected: 1 pod moved to b1; web runs on b1

            3/6 pod-anti-affinity: no two pods of web in one zone, and node b1 changes from zone b to a
              5.0s  violated  2 pods since label zone of node b1 changed b -> a
                    due       at 00:00:30Z (forgiveness 10s) unless web-2 leaves zone=a
             30.0s  held      web-2, MoveInScope: pod web-1 would be moved first
             30.0s  evicted   web-1 from a1
             30.0s  healed    web-2: the rule holds again, without an eviction
             61.0s  moved     web-1 from a1 to c1: Ready, and the rule holds
                    => as expected: 1 pod moved to c1; web runs on b1, c1

            4/6 topology-spread: web spreads over zones, and node b1 changes from zone b to a
              5.0s  violated  4 pods since label zone of node b1 changed b -> a
                    due       at 00:00:30Z (forgiveness 10s) unless the skew of zone=a falls to 1
             30.0s  held      3 pods, MoveInScope: pod web-1 would be moved first
             30.0s  evicted   web-1 from a1, web-2 from b1
             61.0s  moved     web-1 from a1 to b2, web-2 from b1 to b2: Ready, and the rule holds
             61.0s  healed    2 pods: the rule holds again, without an eviction
                    => as expected: 2 pods moved to b2; web runs on a1, b1, b2, b2

            5/6 healed: web requires disk=ssd, and node n1 has another value for 5 seconds
              5.0s  violated  web-1 since label disk of node n1 changed ssd -> unknown
                    due       at 00:00:30Z (forgiveness 10s) unless n1 matches disk In [ssd]
             10.0s  healed    web-1: the rule holds again, without an eviction
                    => as expected: the rule holds again, no pod was evicted; web runs on n1

            6/6 held: web requires disk=ssd, n1 changes to disk=hdd, and no other node has disk=ssd
              5.0s  violated  web-1 since label disk of node n1 changed ssd -> hdd
                    due       at 00:00:30Z (forgiveness 10s) unless n1 matches disk In [ssd]
             30.0s  held      web-1, Infeasible: no other node would take the pod now
                    => as expected: held for Infeasible, no pod was evicted; web runs on n1

            All 6 scenes ended as expected.
            """);
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= Columns.WIDTH);
    }

    @Test
    void aSceneThatEndsOtherwiseSaysHow() {
        SimulatedDemo demo = SimulatedDemo.play(List.of("held"), SimulatedDemoTest::expectingAnotherHold);

        assertThat(print(demo)).isFalse();

        assertThat(out.toString()).endsWith("""
                    => NOT as expected:
                       expected  as in held/test.yaml
                       seen      at 2m: missing hold {node: held-n1, policy: held/keep, rule: NodeAffinity,
                                 reason: LabelBreaker}
                       expected  as in held/test.yaml
                       seen      at 2m: unexpected hold {pod: held/web-1, node: held-n1, policy: held/keep,
                                 rule: NodeAffinity, reason: Infeasible}

            1 of 1 scenes did not end as expected: held
            """);
    }

    @Test
    void aSceneThatCannotBeReadIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> SimulatedDemo.play(List.of("none"), SimulatedDemo::resource))
                .withMessageContaining("cannot play the scene none: ")
                .withMessageContaining("no resource none/test.yaml");
    }
}

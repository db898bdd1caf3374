package dev.holdfast.operator.offline.dump;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.Corpus;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.operator.feed.KindReader;
import dev.holdfast.operator.feed.ProtobufKind;
import dev.holdfast.policies.model.ClusterEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares what is read from the JSON of a real API server with what the operator decodes from its protobuf. */
class DumpGoldenTest {
    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.argumentSet("pods", "pods", ProtobufKind.pods(SchedulingScope.RULES_AND_PREFERENCES)),
                Arguments.argumentSet("nodes", "nodes", ProtobufKind.nodes()),
                Arguments.argumentSet("namespaces", "namespaces", ProtobufKind.namespaces()),
                Arguments.argumentSet("disruption budgets", "poddisruptionbudgets", ProtobufKind.budgets()),
                Arguments.argumentSet(
                        "ReplicaSets", "replicasets", ProtobufKind.replicaSets(SchedulingScope.RULES_AND_PREFERENCES)),
                Arguments.argumentSet(
                        "StatefulSets",
                        "statefulsets",
                        ProtobufKind.statefulSets(SchedulingScope.RULES_AND_PREFERENCES)),
                Arguments.argumentSet("Jobs", "jobs", ProtobufKind.jobs(SchedulingScope.RULES_AND_PREFERENCES)),
                Arguments.argumentSet("CSINodes", "csinodes", ProtobufKind.csiNodes()),
                Arguments.argumentSet("quotas", "resourcequotas", ProtobufKind.quotas()),
                Arguments.argumentSet("LimitRanges", "limitranges", ProtobufKind.limitRanges()));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void jsonIsReadAsTheOperatorReadsProtobuf(String name, ProtobufKind kind) throws Exception {
        Dump dump = new DumpReader(_ -> {})
                .read(List.of(new DumpFile(name, () -> new ByteArrayInputStream(Corpus.body(name + ".json")))));

        assertThat(dump.warnings()).isEmpty();
        assertThat(dump.objects()).isEqualTo(decoded(Corpus.body(name + ".pb"), kind));
    }

    private static List<ClusterEvent> decoded(byte[] list, ProtobufKind kind) throws IOException {
        List<ClusterEvent> events = new ArrayList<>();
        KindReader<?> reader = kind.reader();
        new ListReader(new ByteArrayInputStream(list)).read(item -> events.add(reader.event(item)));
        return events;
    }
}

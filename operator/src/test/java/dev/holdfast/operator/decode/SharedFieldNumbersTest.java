package dev.holdfast.operator.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.fields.Fields;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that one decoder reads with the field numbers of one of them: the others have the same numbers. */
class SharedFieldNumbersTest {
    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet(
                        "a condition of a node is read as one of a pod",
                        List.of(
                                Fields.NodeCondition.TYPE,
                                Fields.NodeCondition.STATUS,
                                Fields.NodeCondition.LAST_TRANSITION_TIME,
                                Fields.NodeCondition.REASON),
                        List.of(
                                Fields.PodCondition.TYPE,
                                Fields.PodCondition.STATUS,
                                Fields.PodCondition.LAST_TRANSITION_TIME,
                                Fields.PodCondition.REASON)),
                argumentSet(
                        "a requirement of a node selector is read as one of a label selector",
                        List.of(
                                Fields.NodeSelectorRequirement.KEY,
                                Fields.NodeSelectorRequirement.OPERATOR,
                                Fields.NodeSelectorRequirement.VALUES),
                        List.of(
                                Fields.LabelSelectorRequirement.KEY,
                                Fields.LabelSelectorRequirement.OPERATOR,
                                Fields.LabelSelectorRequirement.VALUES)),
                argumentSet(
                        "pod anti-affinity is read as pod affinity",
                        List.of(Fields.PodAntiAffinity.REQUIRED_DURING_SCHEDULING_IGNORED_DURING_EXECUTION),
                        List.of(Fields.PodAffinity.REQUIRED_DURING_SCHEDULING_IGNORED_DURING_EXECUTION)),
                argumentSet(
                        "a ReplicaSet is read as a Deployment",
                        List.of(Fields.ReplicaSet.METADATA, Fields.ReplicaSet.SPEC, Fields.ReplicaSet.STATUS),
                        List.of(Fields.Deployment.METADATA, Fields.Deployment.SPEC, Fields.Deployment.STATUS)),
                argumentSet(
                        "a StatefulSet is read as a Deployment",
                        List.of(Fields.StatefulSet.METADATA, Fields.StatefulSet.SPEC, Fields.StatefulSet.STATUS),
                        List.of(Fields.Deployment.METADATA, Fields.Deployment.SPEC, Fields.Deployment.STATUS)),
                argumentSet(
                        "a Job is read as a Deployment",
                        List.of(Fields.Job.METADATA, Fields.Job.SPEC, Fields.Job.STATUS),
                        List.of(Fields.Deployment.METADATA, Fields.Deployment.SPEC, Fields.Deployment.STATUS)),
                argumentSet(
                        "the template of a workload is read as a pod",
                        List.of(Fields.PodTemplateSpec.SPEC),
                        List.of(Fields.Pod.SPEC)),
                argumentSet(
                        "the name of a container status is read as that of a container",
                        List.of(Fields.ContainerStatus.NAME),
                        List.of(Fields.Container.NAME)),
                argumentSet(
                        "a handler of a life-cycle hook is read as one of a probe",
                        List.of(Fields.LifecycleHandler.HTTP_GET, Fields.LifecycleHandler.TCP_SOCKET),
                        List.of(Fields.ProbeHandler.HTTP_GET, Fields.ProbeHandler.TCP_SOCKET)),
                argumentSet(
                        "an AppArmor profile is read as a seccomp profile",
                        List.of(Fields.AppArmorProfile.TYPE),
                        List.of(Fields.SeccompProfile.TYPE)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aMessageHasTheNumbersOfAnother(List<Integer> numbers, List<Integer> read) {
        assertThat(numbers).isEqualTo(read);
    }

    @Test
    void theMetadataOfEachKindIsReadAsThatOfAnyObject() {
        assertThat(List.of(
                        Fields.CSINode.METADATA,
                        Fields.Deployment.METADATA,
                        Fields.Job.METADATA,
                        Fields.LimitRange.METADATA,
                        Fields.Namespace.METADATA,
                        Fields.Node.METADATA,
                        Fields.PersistentVolume.METADATA,
                        Fields.PersistentVolumeClaim.METADATA,
                        Fields.Pod.METADATA,
                        Fields.PodDisruptionBudget.METADATA,
                        Fields.ReplicaSet.METADATA,
                        Fields.ResourceQuota.METADATA,
                        Fields.StatefulSet.METADATA,
                        Fields.StorageClass.METADATA))
                .containsOnly(Fields.PartialObjectMetadata.METADATA);
    }

    /** The decoder takes all fields up to the last handler for handlers. */
    @Test
    void theHandlersOfAProbeAndOfLifeCycleHooksAreTheFirstFields() {
        assertThat(Fields.Probe.PROBE_HANDLER).isEqualTo(1);
        assertThat(List.of(Fields.Lifecycle.POST_START, Fields.Lifecycle.PRE_STOP))
                .containsExactly(1, 2);
    }
}

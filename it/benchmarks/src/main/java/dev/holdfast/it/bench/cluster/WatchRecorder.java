package dev.holdfast.it.bench.cluster;

import dev.holdfast.it.bench.cluster.RecordedPod.Form;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Recorder of kube-apiserver's watch frames for one pod of each {@link WorkloadRole}. {@link RecordedPod} reads the
 * recordings.
 */
public final class WatchRecorder {
    private static final String WATCH = "application/vnd.kubernetes.protobuf;stream=watch";
    private static final String PODS = "/api/v1/namespaces/" + TemplateObjects.NAMESPACE
            + "/pods?watch=true&timeoutSeconds=2&fieldSelector=metadata.name%3D";

    private final KubernetesClient client;

    private WatchRecorder(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Starts a control plane, records the frames of a pod of each role, and writes one file for each role into the
     * folder.
     */
    public static void record(Path folder) throws InterruptedException, IOException {
        try (ControlPlane controlPlane = ControlPlane.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            FilledCluster.prepare(client);
            List.of(Program.KWOK, Program.KUBE_SCHEDULER, Program.KUBE_CONTROLLER_MANAGER)
                    .forEach(controlPlane::stop);
            Files.createDirectories(folder);
            for (WorkloadRole workloadRole : WorkloadRole.values()) {
                byte[] recording = new WatchRecorder(client).recording(workloadRole);
                try (OutputStream file =
                        new GZIPOutputStream(Files.newOutputStream(folder.resolve(RecordedPod.file(workloadRole))))) {
                    file.write(recording);
                }
            }
        }
    }

    private byte[] recording(WorkloadRole workloadRole) throws InterruptedException {
        Pod ready = new TemplateObjects(client).running(workloadRole);
        String since = ready.getMetadata().getResourceVersion();
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        frames.writeBytes(watched(ready, "0"));
        Pod restarted = client.resource(restarted(ready)).updateStatus();
        ready.getMetadata().setResourceVersion(restarted.getMetadata().getResourceVersion());
        Pod again = client.resource(ready).updateStatus();
        client.resource(again).withGracePeriod(0).delete();
        frames.writeBytes(watched(ready, since));
        int count = RecordedPod.frames(frames.toByteArray()).size();
        if (count != Form.values().length) {
            throw new IllegalStateException(
                    "kube-apiserver sent watch events of a pod " + workloadRole + " in " + count + " frames");
        }
        return frames.toByteArray();
    }

    /** {@return the pod after a restart of one of its containers} */
    private static Pod restarted(Pod pod) {
        return new PodBuilder(pod)
                .editStatus()
                .editMatchingCondition(condition -> condition.getType().equals("Ready"))
                .withStatus("False")
                .withReason("ContainersNotReady")
                .withMessage("containers with unready status: [main]")
                .endCondition()
                .editFirstContainerStatus()
                .withReady(false)
                .withRestartCount(1)
                .endContainerStatus()
                .endStatus()
                .build();
    }

    /** Watches a pod for two seconds, and returns the frames of all its events since a resource version. */
    private byte[] watched(Pod pod, String since) throws InterruptedException {
        String path = PODS + pod.getMetadata().getName() + "&resourceVersion=" + since;
        return new RawReads(client).get(path, WATCH);
    }
}

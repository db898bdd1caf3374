package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.simulate.object.PodStages;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects that the controllers of a new workload create. A Deployment {@code web} with 3 replicas gets a ReplicaSet
 * {@code web} and the pods web-1, web-2 and web-3. A StatefulSet {@code db} with 2 replicas gets the pods db-0 and
 * db-1, and a Job {@code report} with parallelism 2 the pods report-1 and report-2.
 */
final class CreatedObjects {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String METADATA = "metadata";
    private static final String REPLICAS = "replicas";
    private static final String TEMPLATE_HASH = "pod-template-hash";

    private CreatedObjects() {}

    /**
     * {@return what a workload creates; empty for kinds without pods of their own}
     *
     * @param revision the number of its pod template, from 1
     */
    static List<ObjectNode> of(ObjectNode workload, int revision) {
        return switch (workload.path("kind").asText()) {
            case "Deployment" -> ofDeployment(workload, revision);
            case "ReplicaSet", "Job" -> pods(workload, name(workload), 1, revision);
            case "StatefulSet" ->
                pods(
                        workload,
                        name(workload),
                        workload.at("/spec/ordinals/start").asInt(0),
                        revision);
            default -> List.of();
        };
    }

    private static List<ObjectNode> ofDeployment(ObjectNode deployment, int revision) {
        return ofDeployment(deployment, replicaSet(deployment, revision), revision);
    }

    /**
     * {@return a ReplicaSet of a Deployment and all its pods} The ReplicaSet may be an older one, to which the
     * Deployment returns.
     *
     * @param revision how many times the Deployment has been rolled out
     */
    static List<ObjectNode> ofDeployment(ObjectNode deployment, ObjectNode replicaSet, int revision) {
        ObjectNode scaled = replicaSet.deepCopy();
        scaled.withObjectProperty("spec").put(REPLICAS, replicas(deployment));
        List<ObjectNode> created = new ArrayList<>(List.of(scaled));
        created.addAll(pods(scaled, revised(deployment, revision), 1, revision));
        return created;
    }

    /** {@return the ReplicaSet that a Deployment creates for its template} */
    static ObjectNode replicaSet(ObjectNode deployment, int revision) {
        String name = revised(deployment, revision);
        ObjectNode replicaSet = JSON.objectNode();
        replicaSet.put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        ObjectNode metadata = replicaSet.putObject(METADATA);
        metadata.put("name", name).put("namespace", namespace(deployment));
        metadata.put("uid", "ReplicaSet/" + namespace(deployment) + "/" + name);
        metadata.set("ownerReferences", reference(deployment));
        ObjectNode template = replicaSet.putObject("spec").putObject("template");
        template.setAll(deployment
                .withObjectProperty("spec")
                .withObjectProperty("template")
                .deepCopy());
        template.withObjectProperty(METADATA)
                .withObjectProperty("labels")
                .put(TEMPLATE_HASH, Integer.toString(revision));
        return replicaSet;
    }

    private static String revised(ObjectNode deployment, int revision) {
        return name(deployment) + (revision == 1 ? "" : "-r" + revision);
    }

    /** {@return the name of a revision of a StatefulSet: {@code db-1}} */
    static String revision(ObjectNode statefulSet, int revision) {
        return name(statefulSet) + "-" + revision;
    }

    private static List<ObjectNode> pods(ObjectNode owner, String base, int first, int revision) {
        List<ObjectNode> pods = new ArrayList<>();
        for (int i = first; i < first + replicas(owner); i++) {
            pods.add(pod(owner, base + "-" + i, revision));
        }
        return pods;
    }

    private static ObjectNode pod(ObjectNode owner, String name, int revision) {
        JsonNode template = owner.at("/spec/template");
        ObjectNode pod = JSON.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject(METADATA);
        metadata.setAll((ObjectNode) JSON.objectNode().set("labels", labels(owner, name, revision)));
        if (template.at("/metadata/annotations") instanceof ObjectNode annotations) {
            metadata.set("annotations", annotations.deepCopy());
        }
        metadata.put("name", name).put("namespace", namespace(owner));
        metadata.set("ownerReferences", reference(owner));
        if (template.path("spec") instanceof ObjectNode spec) {
            pod.set("spec", spec.deepCopy());
        }
        if (owner.path("kind").asText().equals("Job")
                && template.at("/spec/restartPolicy").isMissingNode()) {
            // The API server accepts no Job whose pods start again for ever.
            pod.withObjectProperty("spec").put("restartPolicy", "Never");
        }
        for (JsonNode claim : owner.at("/spec/volumeClaimTemplates")) {
            claimed(pod, claim.at("/metadata/name").asText());
        }
        return pod;
    }

    /**
     * Adds the volume that a StatefulSet {@code db} with a claim template {@code data} gives its pod db-0: claim
     * data-db-0.
     */
    private static void claimed(ObjectNode pod, String template) {
        ObjectNode volume =
                pod.withObjectProperty("spec").withArrayProperty("volumes").addObject();
        volume.put("name", template).putObject("persistentVolumeClaim").put("claimName", template + "-" + name(pod));
    }

    private static ObjectNode labels(ObjectNode owner, String podName, int revision) {
        ObjectNode labels = JSON.objectNode();
        if (owner.at("/spec/template/metadata/labels") instanceof ObjectNode written) {
            labels.setAll(written.deepCopy());
        }
        switch (owner.path("kind").asText()) {
            case "StatefulSet" -> {
                labels.put(PodStages.POD_NAME, podName).put(PodStages.POD_INDEX, number(podName));
                labels.put(StatefulSetRevisions.LABEL, revision(owner, revision));
            }
            case "Job" -> ofJob(owner, podName, labels);
            default -> {
                // The template of a ReplicaSet has all labels, also that of its Deployment's revision.
            }
        }
        return labels;
    }

    private static void ofJob(ObjectNode job, String podName, ObjectNode labels) {
        String uid = job.at("/metadata/uid").asText();
        labels.put("batch.kubernetes.io/job-name", name(job)).put("job-name", name(job));
        labels.put("batch.kubernetes.io/controller-uid", uid).put("controller-uid", uid);
        if (job.at("/spec/completionMode").asText().equals("Indexed")) {
            // The names of pods begin with 1, and the indexes with 0.
            labels.put(
                    "batch.kubernetes.io/job-completion-index",
                    Integer.toString(Integer.parseInt(number(podName)) - 1));
        }
    }

    private static String number(String podName) {
        return podName.substring(podName.lastIndexOf('-') + 1);
    }

    private static ArrayNode reference(ObjectNode owner) {
        ArrayNode references = JSON.arrayNode();
        references
                .addObject()
                .put("apiVersion", owner.path("apiVersion").asText())
                .put("kind", owner.path("kind").asText())
                .put("name", name(owner))
                .put("uid", owner.at("/metadata/uid").asText())
                .put("controller", true);
        return references;
    }

    /** {@return how many pods a workload wants at a time} */
    static int replicas(ObjectNode workload) {
        JsonNode spec = workload.path("spec");
        if (!workload.path("kind").asText().equals("Job")) {
            return spec.path(REPLICAS).asInt(1);
        }
        // With a status it comes from a cluster, and has the pods that it should have.
        boolean none = spec.path("suspend").asBoolean(false) || workload.has("status");
        int parallelism = none ? 0 : spec.path("parallelism").asInt(1);
        return Math.min(parallelism, spec.path("completions").asInt(parallelism));
    }

    static String name(ObjectNode object) {
        return object.at("/metadata/name").asText();
    }

    static String namespace(ObjectNode object) {
        return object.at("/metadata/namespace").asText("default");
    }
}

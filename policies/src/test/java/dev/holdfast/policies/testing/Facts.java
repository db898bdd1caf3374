package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import dev.holdfast.policies.testing.ObjectTrait.NotReadyTrait;
import dev.holdfast.policies.testing.ObjectTrait.UidTrait;
import dev.holdfast.policies.testing.ObjectTrait.VersionTrait;

/**
 * Builders for test clusters and their objects, and traits that objects of several kinds can have:
 *
 * <pre>{@code
 * cluster()
 *     .node("n1", zone("a"))
 *     .namespace("shop", labels("team", "blue"))
 *     .pod("web-1", on("n1"), labels("app", "web"), apartFrom(term(app("web"), ZONE)))
 *     .build()
 * }</pre>
 *
 * <p>See {@link NodeTraits}, {@link PodTraits} and {@link Demands} for the other builders.
 */
public final class Facts {
    /** The namespace of pods without a namespace trait. */
    public static final String NAMESPACE = "shop";

    /** The topologyKey for zones. */
    public static final String ZONE = "topology.kubernetes.io/zone";

    /** A topologyKey for racks: domains smaller than a zone, with several nodes. */
    public static final String RACK = "rack";

    /** The topologyKey for single nodes. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    private Facts() {}

    /** {@return the builder of a cluster that contains no objects yet, and no namespaces} */
    public static ClusterBuilder cluster() {
        return new ClusterBuilder();
    }

    /** {@return a pod with this name and the defaults of {@link PodDraft}} */
    public static Pod pod(String name, PodTrait... traits) {
        PodDraft draft = new PodDraft(name);
        for (PodTrait trait : traits) {
            trait.of(draft);
        }
        return draft.build();
    }

    /** {@return a node with this name and the defaults of {@link NodeDraft}} */
    public static Node node(String name, NodeTrait... traits) {
        NodeDraft draft = new NodeDraft(name);
        for (NodeTrait trait : traits) {
            trait.of(draft);
        }
        return draft.build();
    }

    /** {@return a namespace with only these labels; unlike the API server, it adds no label with the name} */
    public static Namespace namespace(String name, LabelsTrait labels) {
        return new Namespace(name, 1, Labels.of(labels.labels()));
    }

    /** {@return the trait of labels, given as alternating keys and values} */
    public static LabelsTrait labels(String... keysAndValues) {
        return new LabelsTrait(Labels.of(keysAndValues).toMap());
    }

    /** {@return parsed disruption annotations, given as alternating keys and values} */
    public static DisruptionAnnotations marks(String... keysAndValues) {
        return DisruptionAnnotations.of(Labels.of(keysAndValues).toMap());
    }

    /** {@return the trait of a UID; by default it is the name} */
    public static ObjectTrait uid(String uid) {
        return new UidTrait(uid);
    }

    /** {@return the trait of a resourceVersion; by default it is 1} */
    public static ObjectTrait resourceVersion(long resourceVersion) {
        return new VersionTrait(resourceVersion);
    }

    /** {@return the trait that the condition {@code Ready} is not true} */
    public static ObjectTrait notReady() {
        return new NotReadyTrait();
    }
}

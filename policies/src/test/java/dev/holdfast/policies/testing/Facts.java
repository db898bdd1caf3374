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
 * The start of a test cluster, and traits for all kinds of objects:
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

    /** The topologyKey of zones. */
    public static final String ZONE = "topology.kubernetes.io/zone";

    /** A topologyKey between zone and hostname. */
    public static final String RACK = "rack";

    /** The topologyKey of single nodes. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    private Facts() {}

    /** {@return an empty cluster, without even a namespace} */
    public static ClusterBuilder cluster() {
        return new ClusterBuilder();
    }

    /** {@return a pod} */
    public static Pod pod(String name, PodTrait... traits) {
        PodDraft draft = new PodDraft(name);
        for (PodTrait trait : traits) {
            trait.of(draft);
        }
        return draft.build();
    }

    /** {@return a node} */
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

    /** {@return labels, written as key, value, key, value} */
    public static LabelsTrait labels(String... keysAndValues) {
        return new LabelsTrait(Labels.of(keysAndValues).toMap());
    }

    /** {@return the parsed disruption annotations, written as key, value, key, value} */
    public static DisruptionAnnotations marks(String... keysAndValues) {
        return DisruptionAnnotations.of(Labels.of(keysAndValues).toMap());
    }

    /** {@return a UID other than the name} */
    public static ObjectTrait uid(String uid) {
        return new UidTrait(uid);
    }

    /** {@return a resourceVersion other than 1} */
    public static ObjectTrait resourceVersion(long resourceVersion) {
        return new VersionTrait(resourceVersion);
    }

    /** {@return a condition {@code Ready} that is not true} */
    public static ObjectTrait notReady() {
        return new NotReadyTrait();
    }
}

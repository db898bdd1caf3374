package dev.holdfast.policies.testing;

import java.util.Map;

/** What may be said of pods and nodes alike, and of namespaces where it is about labels or versions. */
public sealed interface ObjectTrait extends PodTrait, NodeTrait {
    /** Some labels, beside those already said; a key said again has the later value. */
    record LabelsTrait(Map<String, String> labels) implements ObjectTrait {
        public LabelsTrait {
            labels = Map.copyOf(labels);
        }

        @Override
        public void of(PodDraft pod) {
            pod.labels.putAll(labels);
        }

        @Override
        public void of(NodeDraft node) {
            node.labels.putAll(labels);
        }
    }

    /** The UID, where it is not the name. */
    record UidTrait(String uid) implements ObjectTrait {
        @Override
        public void of(PodDraft pod) {
            pod.uid = uid;
        }

        @Override
        public void of(NodeDraft node) {
            node.uid = uid;
        }
    }

    /** The resourceVersion, where it is not 1. */
    record VersionTrait(long resourceVersion) implements ObjectTrait {
        @Override
        public void of(PodDraft pod) {
            pod.resourceVersion = resourceVersion;
        }

        @Override
        public void of(NodeDraft node) {
            node.resourceVersion = resourceVersion;
        }
    }

    /** The condition {@code Ready} is not true. */
    record NotReadyTrait() implements ObjectTrait {
        @Override
        public void of(PodDraft pod) {
            pod.ready = false;
        }

        @Override
        public void of(NodeDraft node) {
            node.ready = false;
        }
    }
}

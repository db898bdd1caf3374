package dev.holdfast.policies.testing;

import java.util.Map;

/** A trait for both pods and nodes in test clusters. Namespaces can have the traits for labels and versions too. */
public sealed interface ObjectTrait extends PodTrait, NodeTrait {
    /** Further labels; a later trait overrides the value of an earlier one. */
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

    /** A UID other than the name. */
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

    /** A resourceVersion other than 1. */
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

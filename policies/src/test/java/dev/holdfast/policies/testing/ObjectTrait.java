package dev.holdfast.policies.testing;

import java.util.Map;

/** A trait that both pods and nodes in test clusters can have. */
public sealed interface ObjectTrait extends PodTrait, NodeTrait {
    /** Labels in addition to those of earlier traits; for equal keys the later value counts. */
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

    /** A UID; by default it is the name. */
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

    /** A resourceVersion; by default it is 1. */
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

package dev.holdfast.policies.model;

import java.util.List;
import java.util.Optional;

/**
 * A term of pod affinity or anti-affinity as written.
 *
 * @param labelSelector selects the partners; absent matches no pod, <code>{}</code> matches all pods
 * @param namespaces the names of the partners' namespaces, which need not exist
 * @param namespaceSelector selects further namespaces of partners; absent adds no namespace, <code>{}</code> adds all
 * @param topologyKey the key of the node label whose value is the domain
 * @param matchLabelKeys label keys for which a partner must have the same value as the rule owner
 * @param mismatchLabelKeys label keys for which a partner must not have the same value as the rule owner
 */
public record PodAffinityTerm(
        Optional<LabelSelector> labelSelector,
        List<String> namespaces,
        Optional<LabelSelector> namespaceSelector,
        String topologyKey,
        List<String> matchLabelKeys,
        List<String> mismatchLabelKeys) {
    /** The topologyKey whose domains are single nodes. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    public PodAffinityTerm {
        namespaces = List.copyOf(namespaces);
        matchLabelKeys = List.copyOf(matchLabelKeys);
        mismatchLabelKeys = List.copyOf(mismatchLabelKeys);
    }

    /** {@return a term that applies only to pods in the rule owner's own namespace} */
    public static PodAffinityTerm of(LabelSelector labelSelector, String topologyKey) {
        return new PodAffinityTerm(
                Optional.of(labelSelector), List.of(), Optional.empty(), topologyKey, List.of(), List.of());
    }

    /**
     * {@return whether the term has neither {@code namespaces} nor a {@code namespaceSelector}, so that it applies only
     * to the rule owner's own namespace (PA-2)}
     */
    public boolean ofOwnNamespace() {
        return namespaces.isEmpty() && namespaceSelector.isEmpty();
    }

    /**
     * {@return whether the term applies to pods of all namespaces, in domains that may have several nodes} With such a
     * term of anti-affinity, one pod can keep the pods of all namespaces out of a whole zone.
     */
    public boolean isClusterWide() {
        return namespaceSelector.filter(LabelSelector::isEmpty).isPresent() && !topologyKey.equals(HOSTNAME);
    }

    /** {@return whether the term has matchLabelKeys or mismatchLabelKeys, whose values come from the rule owner} */
    public boolean readsLabels() {
        return !matchLabelKeys.isEmpty() || !mismatchLabelKeys.isEmpty();
    }

    /**
     * {@return the term as the API server would store it for a pod with these labels: matchLabelKeys and
     * mismatchLabelKeys are merged into the selector as {@code In} and {@code NotIn}, and both lists are empty}
     *
     * <p>Keys that the pod lacks are skipped, and nothing is merged into an absent selector (PA-7). Example: {@code
     * app=web} with {@code matchLabelKeys: [hash]} and a pod labelled {@code hash=7f} becomes {@code app=web, hash In
     * [7f]}.
     */
    public PodAffinityTerm mergedFor(Labels labels) {
        if (!readsLabels()) {
            return this;
        }
        Optional<LabelSelector> merged = labelSelector.map(
                selector -> merge(merge(selector, matchLabelKeys, "In", labels), mismatchLabelKeys, "NotIn", labels));
        return new PodAffinityTerm(merged, namespaces, namespaceSelector, topologyKey, List.of(), List.of());
    }

    /**
     * {@return the term as the API server writes it into the spec of a pod with these labels: as merged, with both
     * lists} Keys that are in the selector already are not merged again.
     */
    PodAffinityTerm storedFor(Labels labels) {
        PodAffinityTerm merged = mergedFor(labels);
        return !readsLabels() || hasMerged(labels)
                ? this
                : new PodAffinityTerm(
                        merged.labelSelector,
                        namespaces,
                        namespaceSelector,
                        topologyKey,
                        matchLabelKeys,
                        mismatchLabelKeys);
    }

    /** {@return whether the selector has all that the API server merges into it} */
    private boolean hasMerged(Labels labels) {
        LabelSelector none = LabelSelector.everything();
        LabelSelector added = merge(merge(none, matchLabelKeys, "In", labels), mismatchLabelKeys, "NotIn", labels);
        return labelSelector
                .filter(selector -> selector.matchExpressions().containsAll(added.matchExpressions()))
                .isPresent();
    }

    /**
     * {@return the term of a pod's own spec without matchLabelKeys and mismatchLabelKeys, because the API server has
     * already merged them into the selector (PA-7)}
     */
    public PodAffinityTerm alreadyMerged() {
        return !readsLabels()
                ? this
                : new PodAffinityTerm(labelSelector, namespaces, namespaceSelector, topologyKey, List.of(), List.of());
    }

    /**
     * {@return whether a term of a pod's spec is this term} When a pod is created, the API server merges
     * matchLabelKeys and mismatchLabelKeys into the selector (PA-7).
     */
    public boolean isStoredAs(PodAffinityTerm stored) {
        return equals(stored)
                || (readsLabels()
                        && labelSelector.isPresent()
                        && stored.labelSelector
                                .filter(labelSelector.get()::isExtendedBy)
                                .isPresent()
                        && equals(new PodAffinityTerm(
                                labelSelector,
                                stored.namespaces,
                                stored.namespaceSelector,
                                stored.topologyKey,
                                stored.matchLabelKeys,
                                stored.mismatchLabelKeys)));
    }

    private static LabelSelector merge(LabelSelector selector, List<String> keys, String operator, Labels labels) {
        LabelSelector merged = selector;
        for (String key : keys) {
            Optional<String> value = labels.get(key);
            if (value.isPresent()) {
                merged = merged.and(new Requirement(key, operator, List.of(value.get())));
            }
        }
        return merged;
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(labelSelector.map(LabelSelector::ofPods).orElse("(no pod)"));
        if (!namespaces.isEmpty()) {
            text.append(" in ").append(namespaces);
        }
        namespaceSelector.ifPresent(selector ->
                text.append(selector.isEmpty() ? " in every namespace" : " in namespaces (" + selector + ")"));
        return text.append(" by ").append(topologyKey).toString();
    }
}

package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod affinity term: which pods are partners, and the topology key of the domains. With pod affinity, the rule owner
 * must be in a domain with a partner; with anti-affinity, in a domain without one.
 *
 * @param labelSelector labels of the partners; {@code null} matches no pod, empty every pod of the namespaces
 * @param namespaces names of the partners' namespaces, in addition to those that {@code namespaceSelector} matches; may
 *     be empty
 * @param namespaceSelector labels of the partners' namespaces; empty means all; {@code null} adds none; if it is
 *     {@code null} and {@code namespaces} is empty, the partners are in the rule owner's namespace
 * @param topologyKey key of the node label whose value names the domain
 * @param matchLabelKeys keys of pod labels; for each, a partner must have the value that the rule owner has now
 * @param mismatchLabelKeys keys of pod labels; for each, a partner must not have the value that the rule owner has now
 * @param unknownFields fields that this version does not know, by name; a rule that has any must not be enforced
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "!has(self.matchLabelKeys) || size(self.matchLabelKeys) == 0 || has(self.labelSelector)",
        fieldPath = ".matchLabelKeys",
        message = "needs `labelSelector`, if only as {}")
@ValidationRule(
        value = "!has(self.mismatchLabelKeys) || size(self.mismatchLabelKeys) == 0 || has(self.labelSelector)",
        fieldPath = ".mismatchLabelKeys",
        message = "needs `labelSelector`, if only as {}")
@ValidationRule(
        value = MatchLabelKeys.NOT_IN_SELECTOR,
        fieldPath = ".matchLabelKeys",
        message = MatchLabelKeys.NOT_IN_SELECTOR_MESSAGE)
@ValidationRule(
        value = "!has(self.matchLabelKeys) || !has(self.mismatchLabelKeys)"
                + " || self.matchLabelKeys.all(k, !(k in self.mismatchLabelKeys))",
        fieldPath = ".matchLabelKeys",
        message = "must not name a key that `mismatchLabelKeys` names as well")
public record PodAffinityTerm(
        @JsonPropertyDescription("Labels of the pods that the rule is about. {} means every pod of the namespaces;"
                + " absent means no pod. Default: absent. Example: {matchLabels: {app: cache}}.")
        @Nullable
        LabelSelector labelSelector,

        @JsonPropertyDescription("Names of the namespaces whose pods the rule is about, in addition to those that"
                + " `namespaceSelector` matches. Default: none, which with no `namespaceSelector` means the"
                + " namespace of the pod that owns the rule. Example: [shop, data].")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 50)
        @ValidationRule(
                value = "self.all(n, !format.dns1123Label().validate(n).hasValue())",
                message = "each must be the name of a namespace: at most 63 lower-case letters, digits or '-',"
                        + " beginning and ending with a letter or digit")
        List<@Size(max = 63) String> namespaces,

        @JsonPropertyDescription("Labels of the namespaces whose pods the rule is about, in addition to `namespaces`."
                + " {} means all namespaces. Default: absent, which adds none. Example: {matchLabels: {team: data}}.")
        @Nullable
        LabelSelector namespaceSelector,

        @Required
        @JsonPropertyDescription("Key of the node label whose value names the domain: nodes with the same value"
                + " are one domain. Required. Example: topology.kubernetes.io/zone.")
        @Size(max = LabelSyntax.MAX_KEY)
        @ValidationRule(value = LabelSyntax.KEY, message = LabelSyntax.KEY_MESSAGE)
        String topologyKey,

        @JsonPropertyDescription("Keys of pod labels: only pods with the same value as the pod that owns the rule"
                + " match. Keys that this pod does not have are ignored. Default: none."
                + " Example: [pod-template-hash].")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 10)
        @ValidationRule(value = LabelSyntax.KEYS, message = LabelSyntax.KEYS_MESSAGE)
        List<@Size(max = LabelSyntax.MAX_KEY) String> matchLabelKeys,

        @JsonPropertyDescription("Keys of pod labels: only pods with another value than the pod that owns the rule"
                + " match. Keys that this pod does not have are ignored. Default: none. Example: [tenant].")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 10)
        @ValidationRule(value = LabelSyntax.KEYS, message = LabelSyntax.KEYS_MESSAGE)
        List<@Size(max = LabelSyntax.MAX_KEY) String> mismatchLabelKeys,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public PodAffinityTerm {
        namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
        topologyKey = topologyKey == null ? "" : topologyKey;
        matchLabelKeys = matchLabelKeys == null ? List.of() : List.copyOf(matchLabelKeys);
        mismatchLabelKeys = mismatchLabelKeys == null ? List.of() : List.copyOf(mismatchLabelKeys);
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}

package dev.holdfast.operator.decode.scheduling;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.meta.LabelPairs;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.NodeTerms;
import dev.holdfast.operator.decode.meta.SelectorParts;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.injected.InjectedRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Decoder of the scheduling constraints and preferences in a pod's spec. */
public final class SchedulingDecoder {
    private final StringCache stringCache;
    private final ProtoReader reader = new ProtoReader();
    private final LabelPairs nodeSelector;
    private final List<NodeSelectorTerm> nodeTerms = new ArrayList<>();
    private final List<PodAffinityTerm> podAffinity = new ArrayList<>();
    private final List<PodAffinityTerm> podAntiAffinity = new ArrayList<>();
    private final List<TopologySpreadConstraint> topologySpread = new ArrayList<>();
    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<Weighted<NodeSelectorTerm>> preferredNodes = new ArrayList<>();
    private final List<Weighted<PodAffinityTerm>> preferredNear = new ArrayList<>();
    private final List<Weighted<PodAffinityTerm>> preferredApart = new ArrayList<>();
    private final List<TopologySpreadConstraint> softSpread = new ArrayList<>();

    /**
     * Whether the pod has required node affinity. Node affinity without terms matches no node (NA-1 in
     * docs/semantics.md). A pod without node affinity matches every node.
     */
    private boolean nodeAffinity;

    /** The maximum number of bytes of an annotation. MetadataDecoder leaves out longer ones. */
    private static final int LONGEST = Math.max(InjectedRules.MOST_CHARACTERS, MetadataDecoder.MOST_RULES_BYTES);

    /** The number of an artificial field: the pod has an annotation with rules that is too long to be read. */
    public static final int RULES_TOO_LONG = 2_047;

    /** The number of an artificial field: the pod has a record of injected rules that is too long to be read. */
    public static final int RECORD_TOO_LONG = 2_046;

    private final SchedulingScope scope;
    private final Function<String, AnnotationRules> annotationRules;
    private InjectedRules injected = InjectedRules.none();
    private boolean recordIsTooLong;
    private AnnotationRules annotated = AnnotationRules.none();

    private SchedulingDecoder(
            SchedulingScope scope, StringCache stringCache, Function<String, AnnotationRules> annotationRules) {
        this.scope = scope;
        this.stringCache = stringCache;
        this.annotationRules = annotationRules;
        this.nodeSelector = new LabelPairs(stringCache);
    }

    /**
     * {@return the scheduling constraints in these fields of a pod's spec; the order of the fields does not matter}
     *
     * @param fields of the spec, and the annotations of the metadata with the record of injected rules and with rules
     * @param scope whether preferences are read
     * @param annotationRules parses the rules
     */
    public static Scheduling read(
            ByteSlice fields,
            SchedulingScope scope,
            StringCache stringCache,
            Function<String, AnnotationRules> annotationRules)
            throws MalformedException {
        SchedulingDecoder decoder = new SchedulingDecoder(scope, stringCache, annotationRules);
        decoder.read(fields);
        Scheduling whole = new Scheduling(
                        decoder.nodeSelector.labels(),
                        decoder.nodeAffinity ? Optional.of(new NodeSelector(decoder.nodeTerms)) : Optional.empty(),
                        decoder.podAffinity,
                        decoder.podAntiAffinity,
                        decoder.topologySpread,
                        decoder.tolerations)
                .withPreferences(new Preferences(
                                decoder.preferredNodes,
                                decoder.preferredNear,
                                decoder.preferredApart,
                                decoder.softSpread)
                        .shared());
        if (decoder.recordIsTooLong) {
            return PodLimits.tooComplex(
                    "its record of injected rules has more than " + InjectedRules.MOST_CHARACTERS + " characters",
                    whole);
        }
        Scheduling ofSpec = decoder.injected.in(whole);
        return ofSpec.withAnnotationRules(decoder.annotated);
    }

    private void read(ByteSlice fields) throws MalformedException {
        reader.open(fields);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodSpec.NODE_SELECTOR -> nodeSelector.add(reader);
                case Fields.PodSpec.AFFINITY -> affinity();
                case Fields.PodSpec.TOLERATIONS -> tolerations.add(toleration());
                case Fields.PodSpec.TOPOLOGY_SPREAD_CONSTRAINTS -> spread();
                case Fields.ObjectMeta.ANNOTATIONS -> annotation();
                case RULES_TOO_LONG -> {
                    annotated = new AnnotationRules.Refused(
                            "it must have at most " + MetadataDecoder.MOST_RULES_BYTES + " bytes");
                    reader.skip();
                }
                case RECORD_TOO_LONG -> {
                    recordIsTooLong = true;
                    reader.skip();
                }
                default -> reader.skip();
            }
        }
    }

    private void annotation() throws MalformedException {
        String key = "";
        String value = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case MapEntry.KEY -> key = stringCache.of(reader);
                case MapEntry.VALUE -> value = reader.string(LONGEST);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (key.equals(InjectedRules.ANNOTATION)) {
            injected = InjectedRules.parse(value);
        } else {
            annotated = annotationRules.apply(value);
        }
    }

    private void affinity() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Affinity.NODE_AFFINITY -> nodeAffinity();
                case Fields.Affinity.POD_AFFINITY -> podAffinity(podAffinity, preferredNear);
                case Fields.Affinity.POD_ANTI_AFFINITY -> podAffinity(podAntiAffinity, preferredApart);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void nodeAffinity() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.NodeAffinity.REQUIRED_DURING_SCHEDULING_IGNORED_DURING_EXECUTION -> {
                    nodeAffinity = true;
                    nodeTerms.addAll(NodeTerms.read(reader, stringCache));
                }
                case Fields.NodeAffinity.PREFERRED_DURING_SCHEDULING_IGNORED_DURING_EXECUTION -> preferNode();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    /** Reads the reader's current field as pod affinity, or as pod anti-affinity, which has the same field numbers. */
    private void podAffinity(List<PodAffinityTerm> required, List<Weighted<PodAffinityTerm>> preferred)
            throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodAffinity.REQUIRED_DURING_SCHEDULING_IGNORED_DURING_EXECUTION -> required.add(podTerm());
                case Fields.PodAffinity.PREFERRED_DURING_SCHEDULING_IGNORED_DURING_EXECUTION -> preferPod(preferred);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void preferNode() throws MalformedException {
        if (scope == SchedulingScope.RULES) {
            reader.skip();
            return;
        }
        int weight = 0;
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(), List.of());
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PreferredSchedulingTerm.WEIGHT -> weight = reader.int32();
                case Fields.PreferredSchedulingTerm.PREFERENCE -> term = NodeTerms.term(reader, stringCache);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        preferredNodes.add(new Weighted<>(weight, term));
    }

    private void preferPod(List<Weighted<PodAffinityTerm>> preferred) throws MalformedException {
        if (scope == SchedulingScope.RULES) {
            reader.skip();
            return;
        }
        int weight = 0;
        PodAffinityTerm term =
                new PodAffinityTerm(Optional.empty(), List.of(), Optional.empty(), "", List.of(), List.of());
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.WeightedPodAffinityTerm.WEIGHT -> weight = reader.int32();
                case Fields.WeightedPodAffinityTerm.POD_AFFINITY_TERM -> term = podTerm();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        preferred.add(new Weighted<>(weight, term));
    }

    private PodAffinityTerm podTerm() throws MalformedException {
        SelectorParts labelSelector = new SelectorParts(stringCache);
        List<String> namespaces = new ArrayList<>();
        SelectorParts namespaceSelector = new SelectorParts(stringCache);
        String topologyKey = "";
        List<String> matchLabelKeys = new ArrayList<>();
        List<String> mismatchLabelKeys = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodAffinityTerm.LABEL_SELECTOR -> labelSelector.read(reader);
                case Fields.PodAffinityTerm.NAMESPACES -> namespaces.add(stringCache.of(reader));
                case Fields.PodAffinityTerm.TOPOLOGY_KEY -> topologyKey = stringCache.of(reader);
                case Fields.PodAffinityTerm.NAMESPACE_SELECTOR -> namespaceSelector.read(reader);
                case Fields.PodAffinityTerm.MATCH_LABEL_KEYS -> matchLabelKeys.add(stringCache.of(reader));
                case Fields.PodAffinityTerm.MISMATCH_LABEL_KEYS -> mismatchLabelKeys.add(stringCache.of(reader));
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new PodAffinityTerm(
                labelSelector.selector(),
                namespaces,
                namespaceSelector.selector(),
                topologyKey,
                matchLabelKeys,
                mismatchLabelKeys);
    }

    private void spread() throws MalformedException {
        int maxSkew = 0;
        String topologyKey = "";
        String whenUnsatisfiable = "";
        SelectorParts labelSelector = new SelectorParts(stringCache);
        int minDomains = 1;
        NodeInclusionPolicy nodeAffinityPolicy = NodeInclusionPolicy.HONOR;
        NodeInclusionPolicy nodeTaintsPolicy = NodeInclusionPolicy.IGNORE;
        List<String> matchLabelKeys = new ArrayList<>();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.TopologySpreadConstraint.MAX_SKEW -> maxSkew = reader.int32();
                case Fields.TopologySpreadConstraint.TOPOLOGY_KEY -> topologyKey = stringCache.of(reader);
                case Fields.TopologySpreadConstraint.WHEN_UNSATISFIABLE -> whenUnsatisfiable = stringCache.of(reader);
                case Fields.TopologySpreadConstraint.LABEL_SELECTOR -> labelSelector.read(reader);
                case Fields.TopologySpreadConstraint.MIN_DOMAINS -> minDomains = reader.int32();
                case Fields.TopologySpreadConstraint.NODE_AFFINITY_POLICY ->
                    nodeAffinityPolicy = ApiConstants.inclusion(stringCache.of(reader));
                case Fields.TopologySpreadConstraint.NODE_TAINTS_POLICY ->
                    nodeTaintsPolicy = ApiConstants.inclusion(stringCache.of(reader));
                case Fields.TopologySpreadConstraint.MATCH_LABEL_KEYS -> matchLabelKeys.add(stringCache.of(reader));
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        TopologySpreadConstraint constraint = new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                labelSelector.selector(),
                minDomains,
                nodeAffinityPolicy,
                nodeTaintsPolicy,
                matchLabelKeys);
        switch (whenUnsatisfiable) {
            case ApiConstants.HARD -> topologySpread.add(constraint);
            case ApiConstants.SOFT -> {
                if (scope == SchedulingScope.RULES_AND_PREFERENCES) {
                    softSpread.add(constraint);
                }
            }
            default -> {}
        }
    }

    private Toleration toleration() throws MalformedException {
        String key = "";
        String operator = "";
        String value = "";
        String effect = "";
        OptionalLong seconds = OptionalLong.empty();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Toleration.KEY -> key = stringCache.of(reader);
                case Fields.Toleration.OPERATOR -> operator = stringCache.of(reader);
                case Fields.Toleration.VALUE -> value = stringCache.of(reader);
                case Fields.Toleration.EFFECT -> effect = stringCache.of(reader);
                case Fields.Toleration.TOLERATION_SECONDS -> seconds = OptionalLong.of(reader.int64());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new Toleration(key, operator, value, effect, seconds);
    }
}

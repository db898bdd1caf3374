package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.translate.PauseReading;
import dev.holdfast.operator.translate.PauseTranslator;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.SpecProblem;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Translates the policies of dumps as the operator translates those of a cluster. */
public final class DumpedPolicies {
    private static final String API_VERSION = "holdfast.dev/v1alpha1";

    private final PolicyTranslator translator;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final List<String> warnings = new ArrayList<>();

    public DumpedPolicies(PolicyTranslator translator) {
        this.translator = translator;
    }

    /** {@return the id of a policy as it is written; empty for other kinds, for example pauses} */
    public static Optional<PolicyId> id(ObjectNode object) {
        String name = object.at("/metadata/name").asText();
        return switch (object.path("kind").asText()) {
            case "PlacementPolicy" ->
                Optional.of(PolicyId.namespaced(
                        object.at("/metadata/namespace").asText(WholeObjects.DEFAULT_NAMESPACE), name));
            case "ClusterPlacementPolicy" -> Optional.of(PolicyId.cluster(name));
            default -> Optional.empty();
        };
    }

    /**
     * {@return the valid policies of objects of holdfast.dev; other kinds, for example pauses, are left out}
     *
     * @throws DumpException if one is invalid: the message names each error
     */
    public List<Event.PolicyChanged> translate(List<ObjectNode> objects) throws DumpException {
        List<Event.PolicyChanged> policies = new ArrayList<>();
        for (ObjectNode object : objects) {
            translate(object).ifPresent(policies::add);
        }
        return policies;
    }

    /**
     * {@return the valid policies that a cluster has; an invalid policy is a warning, as the operator goes on without
     * it}
     */
    public List<Event.PolicyChanged> translateValid(List<ObjectNode> objects) {
        List<Event.PolicyChanged> policies = new ArrayList<>();
        for (ObjectNode object : objects) {
            try {
                translate(object).ifPresent(policies::add);
            } catch (DumpException e) {
                warnings.add(e.getMessage() + ", so it is not checked");
            }
        }
        return policies;
    }

    /** {@return the pauses; an invalid pause pauses everything, as in the operator} */
    public List<Pause> pauses(List<ObjectNode> objects) throws DumpException {
        List<Pause> pauses = new ArrayList<>();
        for (ObjectNode object : objects) {
            if (object.path("kind").asText().equals("EnforcementPause")) {
                PauseReading reading = PauseTranslator.translate(read(object, EnforcementPause.class));
                if (!reading.problems().isEmpty()) {
                    warnings.add("EnforcementPause " + reading.pause().name()
                            + " is invalid, so it pauses all evictions: " + SpecProblem.list(reading.problems()));
                }
                pauses.add(reading.pause());
            }
        }
        return pauses;
    }

    /** {@return warnings about the policies that were translated, as sentences} */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private Optional<Event.PolicyChanged> translate(ObjectNode object) throws DumpException {
        return switch (object.path("kind").asText()) {
            case "PlacementPolicy" -> {
                PlacementPolicy policy = read(object, PlacementPolicy.class);
                if (policy.getMetadata().getNamespace() == null) {
                    policy.getMetadata().setNamespace(WholeObjects.DEFAULT_NAMESPACE);
                }
                yield Optional.of(valid(policy, translator.translate(policy)));
            }
            case "ClusterPlacementPolicy" -> {
                ClusterPlacementPolicy policy = read(object, ClusterPlacementPolicy.class);
                yield Optional.of(valid(policy, translator.translate(policy)));
            }
            default -> Optional.empty();
        };
    }

    private <P extends HasMetadata> P read(ObjectNode object, Class<P> kind) throws DumpException {
        String apiVersion = object.path("apiVersion").asText();
        if (!apiVersion.equals(API_VERSION)) {
            throw new DumpException(
                    kind.getSimpleName() + " " + object.at("/metadata/name").asText() + " is of " + apiVersion
                            + ": write apiVersion: " + API_VERSION);
        }
        P policy;
        try {
            policy = serialization.convertValue(object, kind);
        } catch (IllegalArgumentException e) {
            String problem = e.getCause() instanceof JsonMappingException mapping
                    ? field(mapping) + problem(mapping) + ": see docs/policy-reference.md"
                    : e.getMessage();
            throw new DumpException(
                    kind.getSimpleName() + " " + object.at("/metadata/name").asText() + ": " + problem, e);
        }
        if (policy.getMetadata().getName() == null) {
            throw new DumpException("a " + kind.getSimpleName() + " without `metadata.name`");
        }
        return policy;
    }

    private static String problem(JsonMappingException wrong) {
        return wrong.getOriginalMessage().contains("out of range")
                ? " is a number that is too large"
                : " has a value of another type";
    }

    /** {@return the names from the object down to the field: {@code spec.podRules[0].kind}} */
    private static String field(JsonMappingException wrong) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : wrong.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.toString();
    }

    private Event.PolicyChanged valid(HasMetadata policy, Translation translation) throws DumpException {
        return switch (translation) {
            case Translation.Understood understood -> changed(policy, understood);
            case Translation.InPart inPart -> {
                warnings.add(described(policy) + " has fields or values that this version does not know, so it is only"
                        + " audited: " + SpecProblem.list(inPart.unknown()));
                yield changed(policy, inPart);
            }
            case Translation.Refused(List<SpecProblem> problems, var _) ->
                throw new DumpException(described(policy) + " is invalid: " + SpecProblem.list(problems));
        };
    }

    private static Event.PolicyChanged changed(HasMetadata policy, Translation.Valid valid) {
        String uid = policy.getMetadata().getUid();
        return new Event.PolicyChanged(
                valid.policy(), valid.disruptionControls(), uid == null ? described(policy) : uid);
    }

    private static String described(HasMetadata policy) {
        String namespace = policy.getMetadata().getNamespace();
        return policy.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + policy.getMetadata().getName();
    }
}

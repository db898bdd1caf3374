package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The changes that files ask for. */
public final class FileChanges {
    private FileChanges() {}

    /**
     * {@return what {@code kubectl apply} of a file does}
     *
     * @throws DumpException if one of the policies is invalid
     */
    public static List<Change> apply(Dump file, DumpedPolicies policies) throws DumpException {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.AddObjects(file.objects()));
        policies.translate(file.policies()).forEach(policy -> changes.add(new Change.PutPolicy(policy)));
        policies.pauses(file.policies()).forEach(pause -> changes.add(new Change.PutPause(pause)));
        return changes;
    }

    /**
     * {@return a policy with mode Enforce}
     *
     * @param name {@code NAMESPACE/NAME} of a PlacementPolicy, or {@code NAME} of a ClusterPlacementPolicy
     * @param known the policies as they are written; of those with the same name, the last one counts
     * @throws DumpException if none has this name; the message lists those that there are
     */
    public static Change.PutPolicy enforce(String name, List<ObjectNode> known, DumpedPolicies policies)
            throws DumpException {
        return new Change.PutPolicy(
                policies.translate(List.of(enforced(name, known))).getLast());
    }

    /**
     * {@return a policy with mode Enforce, as it would be written}
     *
     * @param name as for {@link #enforce}
     * @throws DumpException if none has this name; the message lists those that there are
     */
    public static ObjectNode enforced(String name, List<ObjectNode> known) throws DumpException {
        Map<PolicyId, ObjectNode> policies = policies(known);
        ObjectNode policy = policies.get(policy(name));
        if (policy == null) {
            String names = names(policies.keySet().stream()).collect(Collectors.joining(", "));
            throw new DumpException("cannot enforce " + name + ": there is no such policy"
                    + (names.isEmpty() ? "" : "; there are: " + names));
        }
        ObjectNode enforced = policy.deepCopy();
        enforced.withObjectProperty("spec").put("mode", "Enforce");
        return enforced;
    }

    /**
     * {@return the names of the policies whose last versions have some labels, in order}
     *
     * @param selector as the user wrote it, for messages
     * @throws DumpException if there is none
     */
    public static List<String> policiesWith(String selector, Predicate<Labels> labels, List<ObjectNode> known)
            throws DumpException {
        List<String> names = names(policies(known).entrySet().stream()
                        .filter(policy -> labels.test(labels(policy.getValue())))
                        .map(Map.Entry::getKey))
                .toList();
        if (names.isEmpty()) {
            throw new DumpException("there is no policy with labels " + selector);
        }
        return names;
    }

    /** {@return the last version of each policy} */
    private static Map<PolicyId, ObjectNode> policies(List<ObjectNode> known) {
        Map<PolicyId, ObjectNode> policies = new HashMap<>();
        known.forEach(object -> DumpedPolicies.id(object).ifPresent(id -> policies.put(id, object)));
        return policies;
    }

    private static Stream<String> names(Stream<PolicyId> policies) {
        return policies.map(PolicyId::toString).sorted();
    }

    private static Labels labels(ObjectNode policy) {
        Map<String, String> labels = new TreeMap<>();
        policy.at("/metadata/labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return Labels.of(labels);
    }

    /** {@return the policy of this name: {@code NAMESPACE/NAME}, or {@code NAME} of a ClusterPlacementPolicy} */
    public static PolicyId policy(String name) {
        int slash = name.indexOf('/');
        return slash < 0
                ? PolicyId.cluster(name)
                : PolicyId.namespaced(name.substring(0, slash), name.substring(slash + 1));
    }
}

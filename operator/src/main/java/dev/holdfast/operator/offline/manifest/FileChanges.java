package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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
        List<ObjectNode> policies = known.stream().filter(FileChanges::isPolicy).toList();
        List<ObjectNode> named =
                policies.stream().filter(policy -> name(policy).equals(name)).toList();
        if (named.isEmpty()) {
            String names = policies.stream().map(FileChanges::name).sorted().collect(Collectors.joining(", "));
            throw new DumpException("cannot enforce " + name + ": there is no such policy"
                    + (names.isEmpty() ? "" : "; there are: " + names));
        }
        ObjectNode enforced = named.getLast().deepCopy();
        enforced.withObjectProperty("spec").put("mode", "Enforce");
        return enforced;
    }

    /**
     * {@return the names of the policies with some labels, in order}
     *
     * @param selector as the user wrote it, for messages
     * @throws DumpException if there is none
     */
    public static List<String> policiesWith(String selector, Predicate<Labels> labels, List<ObjectNode> known)
            throws DumpException {
        List<String> names = known.stream()
                .filter(FileChanges::isPolicy)
                .filter(policy -> labels.test(labels(policy)))
                .map(FileChanges::name)
                .distinct()
                .sorted()
                .toList();
        if (names.isEmpty()) {
            throw new DumpException("there is no policy with labels " + selector);
        }
        return names;
    }

    private static boolean isPolicy(ObjectNode object) {
        return object.path("kind").asText().endsWith("PlacementPolicy");
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

    private static String name(ObjectNode policy) {
        String name = policy.at("/metadata/name").asText();
        return policy.path("kind").asText().equals("PlacementPolicy")
                ? policy.at("/metadata/namespace").asText("default") + "/" + name
                : name;
    }
}

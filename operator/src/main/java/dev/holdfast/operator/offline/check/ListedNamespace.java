package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.policies.model.ClusterEvent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The namespace to which the user restricts what a command lists. */
public final class ListedNamespace {
    private ListedNamespace() {}

    /**
     * {@return a warning if the namespace has no pods}
     *
     * @throws DumpException if the input has no object of the namespace: its name is probably mistyped
     */
    public static List<String> require(String namespace, Dump dump) throws DumpException {
        if (dump.objects().stream()
                .anyMatch(it -> it instanceof ClusterEvent.PodChanged(var pod)
                        && pod.namespace().equals(namespace))) {
            return List.of();
        }
        if (namespaces(dump).noneMatch(namespace::equals)) {
            throw new DumpException("the input has no object of namespace " + namespace
                    + ": see -n, or list them with kubectl get namespaces");
        }
        return List.of("the input has no pod in namespace " + namespace);
    }

    private static Stream<String> namespaces(Dump dump) {
        return Stream.concat(
                dump.objects().stream().flatMap(it -> namespace(it).stream()),
                dump.policies().stream().map(it -> it.at("/metadata/namespace").asText()));
    }

    private static Optional<String> namespace(ClusterEvent object) {
        return switch (object) {
            case ClusterEvent.NamespaceChanged(var namespace) -> Optional.of(namespace.name());
            case ClusterEvent.OwnerChanged(var owner) ->
                Optional.of(owner.name().namespace());
            case ClusterEvent.BudgetChanged(var budget) ->
                Optional.of(budget.name().namespace());
            case ClusterEvent.QuotaChanged(var quota) ->
                Optional.of(quota.name().namespace());
            case ClusterEvent.LimitRangeChanged(var limitRange) ->
                Optional.of(limitRange.name().namespace());
            case ClusterEvent.NamespaceGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.BudgetGone _,
                    ClusterEvent.QuotaGone _,
                    ClusterEvent.LimitRangeGone _,
                    ClusterEvent.CsiNodeChanged _,
                    ClusterEvent.CsiNodeGone _,
                    ClusterEvent.OfPod _,
                    ClusterEvent.OfNode _ -> Optional.empty();
        };
    }
}

package dev.holdfast.operator.cli.completion;

import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.cli.options.Kubeconfig;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.live.FirstNames;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The names of the objects in the files that {@code -f} names, or else in the cluster of the kubeconfig. */
final class ObjectNames {
    private static final String POLICIES = "/apis/holdfast.dev/v1alpha1/";

    private ObjectNames() {}

    /** {@return the words that name these objects} */
    static List<String> of(WantedNames wanted, TypedWords typed, Kubeconfig.Surroundings process)
            throws DumpException, IOException, InterruptedException, Kubeconfig.UnusableException {
        List<String> files = typed.values("--filename");
        List<String> names =
                files.isEmpty() ? listed(wanted.kind(), typed, process) : read(wanted.kind(), typed, files);
        return names.stream().map(name -> wanted.prefix() + name).toList();
    }

    private static List<String> read(WantedNames.Kind kind, TypedWords typed, List<String> arguments)
            throws DumpException {
        List<DumpFile> files = new ArrayList<>();
        for (String argument : Stream.concat(arguments.stream(), typed.values("--policy").stream())
                .toList()) {
            files.addAll(DumpFile.of(argument, InputStream.nullInputStream()));
        }
        Dump dump = new DumpReader(_ -> {}).read(files);
        String namespace = last(typed, "--namespace").orElse("default");
        if (kind == WantedNames.Kind.POLICY) {
            return dump.policies().stream()
                    .flatMap(policy -> DumpedPolicies.id(policy).stream())
                    .map(PolicyId::toString)
                    .toList();
        }
        return dump.objects().stream()
                .flatMap(event -> name(event, kind, namespace).stream())
                .toList();
    }

    private static Optional<String> name(ClusterEvent event, WantedNames.Kind kind, String namespace) {
        return switch (event) {
            case ClusterEvent.PodChanged(var pod) ->
                switch (kind) {
                    case POD ->
                        Optional.of(pod.name().name())
                                .filter(_ -> pod.namespace().equals(namespace));
                    case NAMESPACE -> Optional.of(pod.namespace());
                    case NODE, POLICY -> Optional.empty();
                };
            case ClusterEvent.NodeChanged(var node) ->
                Optional.of(node.name()).filter(_ -> kind == WantedNames.Kind.NODE);
            case ClusterEvent.NodeUnread(var node) ->
                Optional.of(node.name()).filter(_ -> kind == WantedNames.Kind.NODE);
            case ClusterEvent.NamespaceChanged(var it) ->
                Optional.of(it.name()).filter(_ -> kind == WantedNames.Kind.NAMESPACE);
            case ClusterEvent.PodGone _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.NamespaceGone _,
                    ClusterEvent.OfOwner _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> Optional.empty();
        };
    }

    private static List<String> listed(WantedNames.Kind kind, TypedWords typed, Kubeconfig.Surroundings process)
            throws IOException, InterruptedException, Kubeconfig.UnusableException {
        Config connection =
                new Kubeconfig(last(typed, "--kubeconfig").map(Path::of), last(typed, "--context")).connection(process);
        String namespace = last(typed, "--namespace")
                .or(() -> Optional.ofNullable(connection.getNamespace()))
                .orElse("default");
        try (StreamingRequests requests = new StreamingRequests(connection)) {
            FirstNames names = new FirstNames(requests);
            return switch (kind) {
                case NAMESPACE -> names.of("/api/v1/namespaces");
                case NODE -> names.of("/api/v1/nodes");
                case POD -> names.of("/api/v1/namespaces/" + namespace + "/pods");
                case POLICY ->
                    Stream.concat(
                                    names.of(POLICIES + "clusterplacementpolicies").stream(),
                                    names.withNamespaces(POLICIES + "placementpolicies").stream())
                            .toList();
            };
        }
    }

    private static Optional<String> last(TypedWords typed, String option) {
        return typed.values(option).stream().reduce((_, last) -> last);
    }
}

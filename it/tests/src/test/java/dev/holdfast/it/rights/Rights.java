package dev.holdfast.it.rights;

import dev.holdfast.it.controlplane.AuditRecord;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The RBAC rights of one ServiceAccount, from role bindings that name it. Rights that Kubernetes grants to all users
 * are not included.
 */
public final class Rights {
    /**
     * The operator's requests that Kubernetes allows for all users: reviews of its own access, whether the API server
     * serves MutatingAdmissionPolicies, and the server version.
     */
    public static final List<String> EVERYBODYS = List.of(
            "create selfsubjectaccessreviews.authorization.k8s.io",
            "get /apis/admissionregistration.k8s.io/v1",
            "get /version");

    private final List<Right> granted;

    Rights(List<Right> granted) {
        this.granted = List.copyOf(granted);
    }

    /**
     * Reads the ServiceAccount's current rights from the cluster and returns them.
     *
     * @param admin a client that may read roles and their bindings
     * @param user the user name of the ServiceAccount: {@code system:serviceaccount:<namespace>:<name>}
     */
    public static Rights of(KubernetesClient admin, String user) {
        Stream<Right> everywhere = admin.rbac().clusterRoleBindings().list().getItems().stream()
                .filter(binding -> isBound(binding.getSubjects(), user))
                .flatMap(binding -> clusterRole(admin, binding.getRoleRef().getName()).stream())
                .flatMap(rule -> Right.grantedBy(rule, ""));
        Stream<Right> somewhere = admin.rbac().roleBindings().inAnyNamespace().list().getItems().stream()
                .filter(binding -> isBound(binding.getSubjects(), user))
                .flatMap(binding -> {
                    String namespace = binding.getMetadata().getNamespace();
                    String role = binding.getRoleRef().getName();
                    List<PolicyRule> rules = binding.getRoleRef().getKind().equals("ClusterRole")
                            ? clusterRole(admin, role)
                            : role(admin, namespace, role);
                    return rules.stream().flatMap(rule -> Right.grantedBy(rule, namespace));
                });
        return new Rights(Stream.concat(everywhere, somewhere).toList());
    }

    private static boolean isBound(List<Subject> subjects, String user) {
        return subjects.stream()
                .anyMatch(subject -> subject.getKind().equals("ServiceAccount")
                        && user.equals("system:serviceaccount:" + subject.getNamespace() + ":" + subject.getName()));
    }

    private static List<PolicyRule> clusterRole(KubernetesClient admin, String name) {
        return admin.rbac().clusterRoles().withName(name).require().getRules();
    }

    private static List<PolicyRule> role(KubernetesClient admin, String namespace, String name) {
        return admin.rbac()
                .roles()
                .inNamespace(namespace)
                .withName(name)
                .require()
                .getRules();
    }

    /** {@return the rights that no request needed, each as {@code get pods}, sorted} */
    public List<String> unusedBy(Collection<AuditRecord> requests) {
        List<Right> needed = requests.stream().map(Right::neededBy).distinct().toList();
        return granted.stream()
                .filter(right -> needed.stream().noneMatch(right::covers))
                .map(Right::inGeneral)
                .sorted()
                .toList();
    }

    /** {@return the missing rights that the requests needed, each once, as {@code get pods}, sorted} */
    public List<String> exceededBy(Collection<AuditRecord> requests) {
        return requests.stream()
                .map(Right::neededBy)
                .filter(needed -> granted.stream().noneMatch(right -> right.covers(needed)))
                .map(Right::inGeneral)
                .distinct()
                .sorted()
                .toList();
    }
}

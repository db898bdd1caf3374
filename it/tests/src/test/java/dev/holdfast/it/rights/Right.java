package dev.holdfast.it.rights;

import dev.holdfast.it.controlplane.AuditRecord;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.stream.Stream;

/**
 * One verb on one resource, as RBAC grants it. Wildcards in RBAC rules are not supported: they cover no request.
 *
 * @param group the API group; empty for the core group
 * @param resource the plural name, with the subresource after a slash, for example pods/eviction
 * @param namespace the namespace in which the right is granted; empty for all namespaces
 * @param name the name of the only object for which the right is granted; empty for all objects
 */
record Right(String verb, String group, String resource, String namespace, String name) {

    /** {@return the right that a request needs} */
    static Right neededBy(AuditRecord request) {
        String subresource = request.subresource().isEmpty() ? "" : "/" + request.subresource();
        return new Right(
                request.verb(), request.group(), request.resource() + subresource, request.namespace(), request.name());
    }

    /** {@return the rights that an RBAC rule grants in a namespace, one for each group, resource, verb and name} */
    static Stream<Right> grantedBy(PolicyRule rule, String namespace) {
        List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .flatMap(resource -> rule.getVerbs().stream()
                                .flatMap(verb -> names.stream()
                                        .map(name -> new Right(verb, group, resource, namespace, name)))));
    }

    /** {@return whether this granted right includes the needed right} */
    boolean covers(Right needed) {
        return verb.equals(needed.verb)
                && group.equals(needed.group)
                && resource.equals(needed.resource)
                && (namespace.isEmpty() || namespace.equals(needed.namespace))
                && (name.isEmpty() || name.equals(needed.name));
    }

    /** {@return the right without namespace and name, as {@code update leases.coordination.k8s.io}} */
    String inGeneral() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }
}

package dev.holdfast.it.rights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditRecord.Effect;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which rights count as used, and which requests exceed them. */
class RightsTest {
    private static final Rights RIGHTS = new Rights(Stream.concat(
                    Right.grantedBy(
                            new PolicyRuleBuilder()
                                    .withApiGroups("")
                                    .withResources("pods", "pods/eviction")
                                    .withVerbs("get", "create")
                                    .build(),
                            ""),
                    Right.grantedBy(
                            new PolicyRuleBuilder()
                                    .withApiGroups("coordination.k8s.io")
                                    .withResources("leases")
                                    .withResourceNames("holdfast")
                                    .withVerbs("update")
                                    .build(),
                            "holdfast"))
            .toList());

    private static AuditRecord request(
            String verb, String group, String resource, String subresource, String namespace, String name) {
        return new AuditRecord(
                Instant.EPOCH,
                "holdfast",
                "",
                verb,
                group,
                resource,
                subresource,
                namespace,
                name,
                "",
                Effect.REAL,
                200,
                Map.of());
    }

    private static AuditRecord lease(String verb, String namespace, String name) {
        return request(verb, "coordination.k8s.io", "leases", "", namespace, name);
    }

    @Test
    void aRightForEveryVerbResourceAndNameIsUnusedUntilARequestNeedsIt() {
        assertThat(RIGHTS.unusedBy(List.of()))
                .containsExactly(
                        "create pods",
                        "create pods/eviction",
                        "get pods",
                        "get pods/eviction",
                        "update leases.coordination.k8s.io");

        assertThat(RIGHTS.unusedBy(List.of(
                        request("create", "", "pods", "eviction", "shop", "web-1"),
                        request("get", "", "pods", "", "shop", "web-1"),
                        lease("update", "holdfast", "holdfast"))))
                .containsExactly("create pods", "get pods/eviction");
    }

    @Test
    void anotherVerbGroupSubresourceNamespaceOrNameUsesNoRightAndIsTooMuch() {
        List<AuditRecord> requests = List.of(
                request("list", "", "pods", "", "shop", ""),
                request("get", "metrics.k8s.io", "pods", "", "shop", "web-1"),
                request("create", "", "pods", "binding", "shop", "web-1"),
                lease("update", "kube-system", "holdfast"),
                lease("update", "holdfast", "other"));

        assertThat(RIGHTS.unusedBy(requests)).isEqualTo(RIGHTS.unusedBy(List.of()));
        assertThat(RIGHTS.exceededBy(requests))
                .containsExactly(
                        "create pods/binding",
                        "get pods.metrics.k8s.io",
                        "list pods",
                        "update leases.coordination.k8s.io");
    }

    @Test
    void whatIsGrantedIsNotTooMuchHoweverOften() {
        AuditRecord get = request("get", "", "pods", "", "shop", "web-1");

        assertThat(RIGHTS.exceededBy(List.of(get, get, lease("update", "holdfast", "holdfast"))))
                .isEmpty();
    }
}

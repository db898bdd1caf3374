package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RbacTest {
    private static final String[] OBSERVE = {
        "list pods",
        "watch pods",
        "list nodes",
        "watch nodes",
        "list namespaces",
        "watch namespaces",
        "list poddisruptionbudgets.policy",
        "watch poddisruptionbudgets.policy",
        "get persistentvolumeclaims",
        "get persistentvolumes",
        "get storageclasses.storage.k8s.io",
        "list csinodes.storage.k8s.io",
        "watch csinodes.storage.k8s.io",
        "list resourcequotas",
        "watch resourcequotas",
        "list limitranges",
        "watch limitranges",
        "list replicasets.apps",
        "watch replicasets.apps",
        "list deployments.apps",
        "watch deployments.apps",
        "list statefulsets.apps",
        "watch statefulsets.apps",
        "list jobs.batch",
        "watch jobs.batch",
        "get customresourcedefinitions.apiextensions.k8s.io placementpolicies.holdfast.dev",
        "list placementpolicies.holdfast.dev",
        "watch placementpolicies.holdfast.dev",
        "patch placementpolicies/status.holdfast.dev",
        "list clusterplacementpolicies.holdfast.dev",
        "watch clusterplacementpolicies.holdfast.dev",
        "patch clusterplacementpolicies/status.holdfast.dev",
        "list enforcementpauses.holdfast.dev",
        "watch enforcementpauses.holdfast.dev",
        "patch enforcementpauses/status.holdfast.dev",
        "create events",
        "patch events"
    };

    @Test
    void byDefaultItMayOnlyObserveAndReport() {
        ClusterRole role = Chart.object(ClusterRole.class, "holdfast");

        assertThat(rights(role.getRules())).containsExactlyInAnyOrder(OBSERVE);
        assertThat(role.getAggregationRule()).isNull();
    }

    @Test
    void enforcementAddsOnlyTheRightsToEvictAndToReadRightBeforeIt() {
        ClusterRole role = Chart.object(ClusterRole.class, "holdfast", "enforcement.enabled=true");
        List<String> more = rights(role.getRules());
        more.removeAll(List.of(OBSERVE));

        assertThat(more).containsExactly("get pods", "get nodes", "create pods/eviction");
    }

    @Test
    void secureMetricsAddOnlyTheRightsToAskWhoAClientIsAndWhatItMayRead() {
        ClusterRole role = Chart.object(ClusterRole.class, "holdfast", "config.metrics.secure=true");
        List<String> more = rights(role.getRules());
        more.removeAll(List.of(OBSERVE));

        assertThat(more)
                .containsExactly(
                        "create tokenreviews.authentication.k8s.io",
                        "create subjectaccessreviews.authorization.k8s.io");
    }

    @Test
    void secureMetricsHaveARoleForReadersThatIsBoundToNoUser() {
        ClusterRole role = Chart.object(ClusterRole.class, "holdfast-metrics-reader", "config.metrics.secure=true");

        assertThat(role.getRules()).singleElement().satisfies(rule -> {
            assertThat(rule.getNonResourceURLs()).containsExactly("/metrics");
            assertThat(rule.getVerbs()).containsExactly("get");
            assertThat(rule.getResources()).isEmpty();
        });
        assertThat(Chart.objects(ClusterRoleBinding.class, "config.metrics.secure=true"))
                .hasSize(1);
        assertThat(Chart.render()).doesNotContain("metrics-reader");
    }

    @Test
    void noRenderedTextNamesEvictionAsAResourceUnlessEnforcing() {
        assertThat(Chart.render()).doesNotContain("[pods/eviction]");
        assertThat(Chart.render("enforcement.enabled=true")).containsOnlyOnce("[pods/eviction]");
    }

    @Test
    void inTheNamespaceOfTheLeaseItMayOnlyCreateReadAndUpdateIt() {
        Role role = Chart.object(Role.class, "holdfast");

        assertThat(rights(role.getRules()))
                .containsExactly(
                        "create leases.coordination.k8s.io",
                        "get leases.coordination.k8s.io holdfast",
                        "update leases.coordination.k8s.io holdfast");
        assertThat(Chart.objects(Role.class)).hasSize(2);
        assertThat(role.getMetadata().getNamespace()).isEqualTo("kube-system");
        assertThat(Chart.object(RoleBinding.class, "holdfast").getMetadata().getNamespace())
                .isEqualTo("kube-system");
    }

    @Test
    void everyReleaseUsesTheSameLease() {
        String[] other = {"fullnameOverride=keeper", "namespaceOverride=ops"};

        assertThat(Chart.object(Role.class, "keeper", other).getRules())
                .isEqualTo(Chart.object(Role.class, "holdfast").getRules());
        assertThat(Chart.object(Role.class, "keeper", other).getMetadata().getNamespace())
                .isEqualTo("kube-system");
    }

    @Test
    void theLeaseMayBeElsewhere() {
        String elsewhere = "config.lease.namespace=locks";

        assertThat(Chart.object(Role.class, "holdfast", elsewhere).getMetadata().getNamespace())
                .isEqualTo("locks");
        assertThat(Chart.object(RoleBinding.class, "holdfast", elsewhere)
                        .getMetadata()
                        .getNamespace())
                .isEqualTo("locks");
    }

    @Test
    void bothRolesAreBoundToTheServiceAccountAlone() {
        ClusterRoleBinding everywhere = Chart.object(ClusterRoleBinding.class, "holdfast");
        RoleBinding here = Chart.object(RoleBinding.class, "holdfast");
        Subject account = new Subject(null, "ServiceAccount", "holdfast", "hf");

        assertThat(everywhere.getSubjects()).containsExactly(account);
        assertThat(here.getSubjects()).containsExactly(account);
        assertThat(everywhere.getRoleRef().getName()).isEqualTo("holdfast");
        assertThat(everywhere.getRoleRef().getKind()).isEqualTo("ClusterRole");
        assertThat(here.getRoleRef().getName()).isEqualTo("holdfast");
        assertThat(here.getRoleRef().getKind()).isEqualTo("Role");
        assertThat(Chart.objects(ClusterRoleBinding.class)).hasSize(1);
        assertThat(Chart.objects(RoleBinding.class)).hasSize(2);
    }

    @Test
    void inItsOwnNamespaceItMayOnlyReadAndUpdateItsLedger() {
        Role role = Chart.object(Role.class, "holdfast-ledger");

        assertThat(rights(role.getRules()))
                .containsExactlyElementsOf(Stream.of("get", "update")
                        .flatMap(verb -> IntStream.range(0, 8)
                                .mapToObj(number -> verb + " configmaps holdfast-ledger-" + number))
                        .toList());
        assertThat(role.getMetadata().getNamespace()).isEqualTo("hf");
        RoleBinding binding = Chart.object(RoleBinding.class, "holdfast-ledger");
        assertThat(binding.getMetadata().getNamespace()).isEqualTo("hf");
        assertThat(binding.getRoleRef().getName()).isEqualTo("holdfast-ledger");
        assertThat(binding.getSubjects()).containsExactly(new Subject(null, "ServiceAccount", "holdfast", "hf"));
    }

    @Test
    void theLedgerIsMadeWithoutDataSoThatHelmLeavesItAlone() {
        assertThat(Chart.objects(ConfigMap.class))
                .filteredOn(it -> it.getMetadata().getName().startsWith("holdfast-ledger-"))
                .hasSize(8)
                .allSatisfy(it ->
                        assertThat(it.getMetadata().getLabels()).containsEntry("holdfast.dev/component", "ledger"))
                .allSatisfy(it -> assertThat(it.getData()).isEmpty())
                .allSatisfy(it -> assertThat(it.getBinaryData()).isEmpty());
    }

    @Test
    void anAccountOfAnotherNameIsBound() {
        String[] settings = {"serviceAccount.create=false", "serviceAccount.name=mine"};

        assertThat(Chart.object(ClusterRoleBinding.class, "holdfast", settings).getSubjects())
                .containsExactly(new Subject(null, "ServiceAccount", "mine", "hf"));
        assertThat(Chart.render(settings)).doesNotContain("kind: ServiceAccount\nmetadata");
    }

    @Test
    void everyUserWithTheViewRoleMayReadPoliciesAndPauses() {
        ClusterRole view = Chart.object(ClusterRole.class, "holdfast-view");

        assertThat(view.getMetadata().getLabels()).containsEntry("rbac.authorization.k8s.io/aggregate-to-view", "true");
        assertThat(rights(view.getRules()))
                .containsExactlyInAnyOrder(
                        "get placementpolicies.holdfast.dev",
                        "list placementpolicies.holdfast.dev",
                        "watch placementpolicies.holdfast.dev",
                        "get clusterplacementpolicies.holdfast.dev",
                        "list clusterplacementpolicies.holdfast.dev",
                        "watch clusterplacementpolicies.holdfast.dev",
                        "get enforcementpauses.holdfast.dev",
                        "list enforcementpauses.holdfast.dev",
                        "watch enforcementpauses.holdfast.dev");
        assertThat(Chart.objects(ClusterRole.class, "rbac.aggregateToView=false"))
                .extracting(role -> role.getMetadata().getName())
                .containsExactlyInAnyOrder("holdfast", "holdfast-pause");
    }

    @Test
    void thePauseRoleOnlyAllowsToCreateAndEndPauses() {
        ClusterRole pause = Chart.object(ClusterRole.class, "holdfast-pause");

        assertThat(rights(pause.getRules()))
                .containsExactlyInAnyOrder(
                        "get enforcementpauses.holdfast.dev",
                        "list enforcementpauses.holdfast.dev",
                        "watch enforcementpauses.holdfast.dev",
                        "create enforcementpauses.holdfast.dev",
                        "update enforcementpauses.holdfast.dev",
                        "patch enforcementpauses.holdfast.dev",
                        "delete enforcementpauses.holdfast.dev");
        assertThat(pause.getMetadata().getLabels()).doesNotContainKey("rbac.authorization.k8s.io/aggregate-to-edit");
        assertThat(Chart.objects(ClusterRoleBinding.class))
                .extracting(binding -> binding.getRoleRef().getName())
                .doesNotContain("holdfast-pause");
    }

    @Test
    void withoutRbacThereAreNoRoles() {
        assertThat(Chart.objects("rbac.create=false"))
                .extracting(object -> object.getKind())
                .doesNotContain("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");
    }

    /** {@return each permission as {@code verb resource.group name}, one per verb, resource and name} */
    private static List<String> rights(List<PolicyRule> rules) {
        List<String> rights = new ArrayList<>();
        for (PolicyRule rule : rules) {
            assertThat(rule.getNonResourceURLs()).isEmpty();
            List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    for (String verb : rule.getVerbs()) {
                        names.forEach(name -> rights.add(right(verb, resource, group, name)));
                    }
                }
            }
        }
        return rights;
    }

    private static String right(String verb, String resource, String group, String name) {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group) + (name.isEmpty() ? "" : " " + name);
    }
}

package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.Props.ENFORCE;
import static dev.holdfast.it.scenario.Props.ON_SSD;
import static dev.holdfast.it.scenario.Props.QUIET;
import static dev.holdfast.it.scenario.Props.enforcing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.it.scenario.Departures;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Rules break, heal and cannot be healed; each scenario says exactly who left by whom, and why. */
@ExtendWith(SharedOperator.class)
@Execution(ExecutionMode.CONCURRENT)
class ScenarioIT {
    /** Long enough for something to happen inside it. */
    private static final String ENFORCE_PATIENTLY = enforcing(Duration.ofSeconds(15));

    private static final String NEAR_S2 = """
        affinity:
          podAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - {labelSelector: {matchLabels: {app: s2}}, topologyKey: zone}
        """;

    @AfterAll
    static void in_all_of_this_it_kept_to_its_rights(Play play) {
        play.keptToItsRights();
    }

    private static String apartFrom(String app) {
        return """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {labelSelector: {matchLabels: {app: %s}}, topologyKey: zone}
            """.formatted(app);
    }

    private static String spread(String topologyKey) {
        return """
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: %s, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
            """.formatted(topologyKey);
    }

    private static String lostItsSsd(String node, Stage stage) {
        return "label disk of node " + stage.nodeName(node) + " changed ssd -> hdd";
    }

    private static String left(List<Pod> partners) {
        Pod partner = partners.getFirst();
        return "pod " + partner.getMetadata().getNamespace() + "/"
                + partner.getMetadata().getName() + " left";
    }

    @Test
    void a_pod_leaves_a_node_that_lost_the_label_of_its_node_selector_for_one_that_has_it(Play play) {
        Stage stage = play.stage("node-selector").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, "nodeSelector: {pool: $NS, disk: ssd}");
        play.settle(stage, "web", 1);
        play.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        play.moved(stage, 1);
        assertThat(stage.places("web")).containsExactly("n2");
        play.over(stage, play.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void three_pods_leave_a_node_that_lost_the_label_of_their_node_affinity_one_after_the_other(Play play) {
        Stage stage = play.stage("node-affinity").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 3, ON_SSD);
        play.settle(stage, "web", 3);
        play.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        play.moved(stage, 3);
        assertThat(stage.places("web")).containsExactly("n2", "n2", "n2");
        play.over(stage, play.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void a_breach_that_heals_inside_its_window_moves_nothing_and_its_clock_is_forgotten(Play play) {
        Stage stage = play.stage("healed").node("n1", "disk=ssd").node("n2", "disk=ssd");
        stage.deployment("web", 2, ON_SSD);
        play.settle(stage, "web", 2);
        play.calm(stage.policy(ENFORCE_PATIENTLY));

        stage.label("n1", "disk", "hdd").label("n2", "disk", "hdd");
        play.until("two pods violate", () -> stage.status("pods", "violating").equals(Optional.of(2)));
        stage.label("n1", "disk", "ssd").label("n2", "disk", "ssd");

        play.calm(stage);
        assertThat(stage.status("nextDeadlineTime")).isEmpty();
        play.over(stage, Departures.NONE, Duration.ofSeconds(17));
    }

    @Test
    void s1_follows_s2_into_another_zone(Play play) {
        Stage stage = play.stage("s2-elsewhere").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("s2", 1, "nodeSelector: {pool: $NS, zone: a}");
        play.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        play.settle(stage, "s1", 1);
        assertThat(stage.places("s1")).containsExactly("a1");
        play.calm(stage.policy("""
            mode: Enforce
            podSelector: {matchLabels: {app: s1}}
            limits: {minReplicas: 0}
            forgivenessSeconds: 3
            """));
        List<Pod> victims = stage.running("s1");
        List<Pod> partners = stage.running("s2");

        stage.deployment("s2", 1, "nodeSelector: {pool: $NS, zone: b}");

        play.until("s1 follows", () -> stage.places("s1").equals(List.of("b1")));
        play.moved(stage, 1);
        play.over(
                stage,
                play.evicted(stage, victims, "PodAffinity", left(partners)).and(Departures.scaledDown(partners)));
    }

    @Test
    void s1_stays_while_s2_is_nowhere(Play play) {
        Stage stage = play.stage("s2-nowhere").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("s2", 1, "");
        play.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        play.settle(stage, "s1", 1);
        play.calm(stage.policy(ENFORCE));
        List<Pod> partners = stage.running("s2");

        stage.deployment("s2", 0, "");

        play.held(stage, "Infeasible");
        play.over(stage, Departures.scaledDown(partners), QUIET);
    }

    @Test
    void s1_leaves_while_s2_is_nowhere_when_the_policy_insists(Play play) {
        Stage stage = play.stage("s2-nowhere-evict").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("s2", 1, "");
        play.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        play.settle(stage, "s1", 1);
        play.calm(stage.policy("""
            mode: Enforce
            podSelector: {matchLabels: {app: s1}}
            limits: {minReplicas: 0}
            forgivenessSeconds: 3
            podRules: [{kind: PodAffinity, whenInfeasible: Evict}]
            """));
        List<Pod> victims = stage.running("s1");
        List<Pod> partners = stage.running("s2");

        stage.deployment("s2", 0, "");

        play.until("s1 is evicted", () -> !play.evictions(stage).isEmpty());
        play.until("its replacement waits for a node", () -> stage.running("s1").isEmpty());
        play.over(
                stage,
                play.evicted(stage, victims, "PodAffinity", left(partners)).and(Departures.scaledDown(partners)));
    }

    @Test
    void rolling_s2_inside_the_window_moves_nothing(Play play) {
        Stage stage = play.stage("s2-rolled").node("a1", "zone=a").node("b1", "zone=b");
        String inZoneA = "nodeSelector: {pool: $NS, zone: a}";
        stage.deployment("s2", 1, inZoneA);
        play.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        play.settle(stage, "s1", 1);
        play.calm(stage.policy(ENFORCE_PATIENTLY));
        List<Pod> before = stage.running("s2");

        stage.deployment("s2", 0, inZoneA);
        play.until("s1 violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        stage.deployment("s2", 1, inZoneA);
        play.settle(stage, "s2", 1);

        assertThat(stage.running("s2"))
                .extracting(pod -> pod.getMetadata().getUid())
                .doesNotContainAnyElementsOf(
                        before.stream().map(pod -> pod.getMetadata().getUid()).toList())
                .isNotEmpty();
        play.calm(stage);
        play.over(stage, Departures.scaledDown(before), Duration.ofSeconds(17));
    }

    @Test
    void the_owner_of_the_rule_leaves_and_the_pod_relabelled_into_conflict_stays(Play play) {
        Stage stage = play.stage("conflict").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("calm", 1, "nodeSelector: {pool: $NS, zone: a}");
        stage.deployment("web", 1, apartFrom("noisy"));
        play.settle(stage, "calm", 1);
        play.settle(stage, "web", 1);
        stage.cordon(stage.places("web").getFirst().equals("a1") ? "b1" : "a1");
        play.calm(stage.policy(ENFORCE));
        String home = stage.places("web").getFirst();
        Pod intruder = stage.bare("intruder", home, "app: quiet");
        List<Pod> victims = stage.running("web");
        stage.uncordon("a1").uncordon("b1");

        stage.labelPod("intruder", "app", "noisy");

        play.moved(stage, 1);
        assertThat(stage.places("web")).doesNotContain(home);
        assertThat(stage.uid("intruder")).isEqualTo(intruder.getMetadata().getUid());
        String cause = "label app of pod conflict/intruder changed quiet -> noisy";
        play.over(stage, play.evicted(stage, victims, "PodAntiAffinity", cause));
    }

    @Test
    void a_pod_of_lower_priority_makes_way_for_the_one_whose_rule_it_breaks_where_a_cluster_policy_says_so(Play play) {
        Stage stage = play.stage("lowest").node("a1", "zone=a");
        PriorityClass important = new PriorityClassBuilder()
                .withNewMetadata()
                .withName("important")
                .endMetadata()
                .withValue(1_000)
                .build();
        stage.client().resource(important).create();
        stage.deployment("web", 1, "priorityClassName: important").deployment("batch", 1, "");
        play.settle(stage, "web", 1);
        play.settle(stage, "batch", 1);
        stage.node("b1", "zone=b").apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: of-$NS}
            spec:
              mode: Enforce
              namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $NS}}
              podSelector: {matchLabels: {app: web}}
              podRules: []
              rules:
              - name: apart-from-noisy
                victim: LowestPriority
                podAntiAffinityTerm: {labelSelector: {matchLabels: {tier: noisy}}, topologyKey: zone}
              limits: {minReplicas: 0}
              forgivenessSeconds: 3
            """);
        play.settle(stage, "batch", 1);
        play.calm(stage.policy("{forgivenessSeconds: 3}"));
        Pod web = stage.running("web").getFirst();
        Pod batch = stage.running("batch").getFirst();
        String name = batch.getMetadata().getName();

        stage.labelPod(name, "tier", "noisy");

        play.until(
                "another pod of batch runs",
                () -> stage.names("batch").size() == 1 && !stage.names("batch").contains(name));
        assertThat(stage.running("web"))
                .singleElement()
                .extracting(pod -> pod.getMetadata().getUid())
                .isEqualTo(web.getMetadata().getUid());
        String cause = "label tier of pod lowest/" + name + " was added as 'noisy'; it goes instead of lowest/"
                + web.getMetadata().getName() + ", whose priority is higher";
        play.over(stage, play.evictedFor("of-lowest", List.of(batch), "apart-from-noisy", cause));
    }

    @Test
    void of_two_pods_apart_from_each_other_that_end_up_in_one_zone_exactly_one_leaves(Play play) {
        Stage stage = play.stage("mutual").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("web", 2, apartFrom("web"));
        play.settle(stage, "web", 2);
        play.calm(stage.policy(ENFORCE));
        List<Pod> before = stage.running("web");
        stage.node("c1", "zone=c");
        play.settle(stage, "web", 2);

        stage.label("b1", "zone", "a");

        play.moved(stage, 1);
        play.calm(stage);
        assertThat(stage.places("web")).contains("c1");
        List<Pod> victim = play.theOneThatLeft(stage, "web", before);
        String cause = "label zone of node mutual-b1 changed b -> a";
        play.over(stage, play.evicted(stage, victim, "PodAntiAffinity", cause));
    }

    @Test
    void a_node_moved_to_another_zone_makes_a_spread_3_to_1_and_one_pod_evens_it_out(Play play) {
        Stage stage = play.stage("spread")
                .node("a1", "zone=a")
                .node("a2", "zone=a")
                .node("b1", "zone=b")
                .node("b2", "zone=b");
        stage.deployment("web", 4, spread("zone") + apartFromOnNode());
        play.settle(stage, "web", 4);
        play.calm(stage.policy(ENFORCE));
        List<Pod> before = stage.running("web");
        stage.node("b3", "zone=b");
        play.settle(stage, "web", 4);

        stage.label("b2", "zone", "a");

        play.moved(stage, 1);
        play.calm(stage);
        List<Pod> victim = play.theOneThatLeft(stage, "web", before);
        String cause = "label zone of node spread-b2 changed b -> a";
        play.over(stage, play.evicted(stage, victim, "TopologySpread", cause));
    }

    private static String apartFromOnNode() {
        return """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}
            """;
    }

    @Test
    void a_cordoned_empty_node_under_hostname_spread_moves_nothing(Play play) {
        Stage stage = play.stage("cordoned").node("n1").node("n2");
        stage.deployment("web", 4, spread("kubernetes.io/hostname"));
        play.settle(stage, "web", 4);
        play.calm(stage.policy(ENFORCE));

        stage.node("n3").cordon("n3");

        play.held(stage, "DomainAdded");
        play.over(stage, Departures.NONE, QUIET);
    }

    @Test
    void while_its_namespace_is_paused_nothing_leaves_and_without_the_pause_it_does(Play play) {
        Stage stage = play.stage("paused").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        play.settle(stage, "web", 1);
        play.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");
        stage.apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: of-$NS}
            spec: {reason: quarter end, namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $NS}}}
            """);

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        play.held(stage, "Paused");
        assertThat(String.valueOf(stage.status("violations").orElseThrow()))
                .contains("EnforcementPause of-paused: quarter end; until it is deleted");
        Resource<EnforcementPause> pause =
                stage.client().resources(EnforcementPause.class).withName("of-paused");
        play.until("the pause says that it applies", () -> says(pause.get(), "Active"));
        play.left(stage, Departures.NONE, QUIET);
        pause.delete();

        play.moved(stage, 1);
        play.over(stage, play.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void a_pause_that_expires_lets_the_pod_go_by_itself_and_is_shown_as_expired(Play play) {
        Stage stage = play.stage("expired").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        play.settle(stage, "web", 1);
        play.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");
        stage.apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: of-$NS}
            spec:
              reason: some seconds
              namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $NS}}
              expirationTime: "%s"
            """.formatted(Instant.now().plusSeconds(20)));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        play.held(stage, "Paused");

        play.moved(stage, 1);
        Resource<EnforcementPause> pause =
                stage.client().resources(EnforcementPause.class).withName("of-expired");
        play.until("the pause is shown as expired", () -> says(pause.get(), "Expired"));
        pause.delete();
        play.over(stage, play.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    private static boolean says(EnforcementPause pause, String reason) {
        return pause.getStatus().conditions().stream()
                .anyMatch(it -> it.type().equals("Active") && it.reason().equals(reason));
    }

    @Test
    void audit_says_what_enforce_would_do_and_sends_nothing_not_even_a_dry_run(Play play) {
        Stage stage = play.stage("audit").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        play.settle(stage, "web", 1);
        play.calm(stage.policy("{forgivenessSeconds: 3, limits: {minReplicas: 0}}"));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        play.until(
                "it would evict",
                () -> String.valueOf(stage.status("violations").orElse("")).contains("WouldEvict"));
        play.over(stage, Departures.NONE, QUIET);
        assertThat(play.evictionRequests(stage)).isEmpty();
    }

    @Test
    void a_policy_deleted_inside_the_window_moves_nothing(Play play) {
        Stage stage = play.stage("deleted").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        play.settle(stage, "web", 1);
        play.calm(stage.policy(ENFORCE_PATIENTLY));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        play.until("a pod violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        stage.deletePolicy();

        play.over(stage, Departures.NONE, Duration.ofSeconds(19));
    }

    @Test
    void a_policy_switched_off_inside_the_window_moves_nothing(Play play) {
        Stage stage = play.stage("off").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        play.settle(stage, "web", 1);
        play.calm(stage.policy(ENFORCE_PATIENTLY));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        play.until("a pod violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        stage.policy(ENFORCE_PATIENTLY.replace("Enforce", "\"Off\""));

        play.until("nothing violates", () -> stage.status("pods", "violating").equals(Optional.of(0)));
        play.over(stage, Departures.NONE, Duration.ofSeconds(19));
    }
}

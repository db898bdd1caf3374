package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * If a label is removed from many nodes, no pod is moved. In each scenario nodes n1 to n9 and the large node
 * {@code spare} have the label disk=ssd. Each of the nine has a pod that requires the label, each of its own workload.
 */
class LabelBreakerTest {
    private static final int NODES = 9;

    private static ClusterBuilder facts() {
        ClusterBuilder facts = cluster().node("spare", ssd());
        for (int i = 1; i <= NODES; i++) {
            facts.node("n" + i, ssd())
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    private static NodeTrait ssd() {
        return labels("disk", "ssd");
    }

    private static NodeTrait bare() {
        return labels("cpu", "new");
    }

    private static EngineScenario begin(Policy policy) {
        return EngineScenario.begin(facts(), policy).replacingOn("spare");
    }

    private static EngineScenario losing(EngineScenario engineScenario, int from, int to) {
        for (int i = from; i <= to; i++) {
            engineScenario.happens(nodeChanged("n" + i, bare()));
        }
        return engineScenario;
    }

    private static ClusterEvent acknowledged(String ids) {
        return new ClusterEvent.NamespaceChanged(new Namespace(
                "holdfast",
                1,
                Labels.none(),
                DisruptionAnnotations.of(Map.of(DisruptionAnnotations.ACKNOWLEDGE, ids))));
    }

    private static List<String> turns(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(report -> report.turn() + " " + report.key().orElse(""))
                .toList();
    }

    @Test
    void sixty_percent_of_the_nodes_lose_the_label_at_once_and_nobody_is_moved_while_it_stays_so() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).after(Duration.ofDays(2));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.LABEL_BREAKER);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.heldBecause())
                .isEqualTo("label disk left 6 of 10 nodes in 1 s; probably a mistake of whatever sets it. No pod is"
                        + " evicted for rules that read this label until it is back, or until you acknowledge that"
                        + " this is intended: kubectl annotate namespace holdfast --overwrite holdfast.dev/acknowledge="
                        + engineScenario.turns.getFirst().id());
    }

    @Test
    void without_the_breaker_they_would_be_moved() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.LABEL_BREAKER)), facts(), enforcing())
                .replacingOn("spare");

        losing(engineScenario, 1, 6).after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).hasSize(6);
    }

    @Test
    void a_label_that_goes_slowly_opens_it_with_the_second_of_ten_nodes_that_makes_three() {
        EngineScenario engineScenario = begin(enforcing("web", Duration.ofMinutes(30)));
        for (int i = 1; i <= 6; i++) {
            losing(engineScenario, i, i).after(Duration.ofMinutes(4));
        }
        engineScenario.after(Duration.ofHours(5));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.turns.getFirst().message()).startsWith("label disk left 3 of 10 nodes in 480 s; ");
        assertThat(engineScenario
                        .report(enforcing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .startsWith("label disk left 6 of 10 nodes in 20 min; ");
    }

    @Test
    void what_was_lost_counts_for_an_hour_and_no_longer() {
        EngineScenario late = losing(begin(enforcing()), 1, 2).after(Duration.ofMinutes(61));
        losing(late, 3, 3).afterSeconds(70);
        assertThat(late.turns).isEmpty();
        assertThat(late.evicted()).containsExactlyInAnyOrder("web-1", "web-2", "web-3");

        EngineScenario inTime = losing(begin(enforcing()), 1, 2).after(Duration.ofMinutes(59));
        losing(inTime, 3, 3).afterSeconds(70);
        assertThat(turns(inTime)).containsExactly("OPENED disk");
        assertThat(inTime.evicted()).containsExactlyInAnyOrder("web-1", "web-2");
    }

    @Test
    void what_was_lost_is_over_to_the_minute_whenever_it_was_last_cleared_away() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 2).after(Duration.ofMinutes(59));
        engineScenario
                .happens(nodeChanged("n9", labels("disk", "ssd", "cpu", "new")))
                .after(Duration.ofMinutes(2));

        losing(engineScenario, 3, 3).afterSeconds(1);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void what_was_lost_counts_for_as_long_as_the_longest_forgiveness() {
        EngineScenario engineScenario =
                losing(begin(enforcing("web", Duration.ofHours(3))), 1, 2).after(Duration.ofMinutes(150));

        losing(engineScenario, 3, 3).after(Duration.ofHours(4));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void two_of_three_nodes_are_too_few_to_tell() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", ssd())
                                .node("n2", ssd())
                                .node("spare", ssd())
                                .replicaSet("web-1", 1)
                                .pod("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")),
                        enforcing())
                .replacingOn("spare");

        losing(engineScenario, 1, 2).afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void three_of_sixteen_nodes_are_fewer_than_a_fifth_and_three_of_fifteen_are_not() {
        assertThat(losing(amongCarriers(16), 1, 3).afterSeconds(1).turns).isEmpty();
        assertThat(turns(losing(amongCarriers(15), 1, 3).afterSeconds(1))).containsExactly("OPENED disk");
    }

    @Test
    void nodes_that_never_had_the_label_are_no_part_of_the_whole() {
        ClusterBuilder facts = facts();
        for (int i = 1; i <= 30; i++) {
            facts.node("never-" + i, bare());
        }

        EngineScenario engineScenario =
                losing(EngineScenario.begin(facts, enforcing()), 1, 3).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.turns.getFirst().message()).startsWith("label disk left 3 of 10 nodes in 1 s; ");
    }

    private static EngineScenario amongCarriers(int carriers) {
        ClusterBuilder facts = facts();
        for (int i = NODES + 2; i <= carriers; i++) {
            facts.node("more-" + i, ssd());
        }
        return EngineScenario.begin(facts, enforcing());
    }

    @Test
    void a_node_pool_that_is_removed_loses_no_label() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 6; i++) {
            engineScenario.happens(podGone("web-" + i)).happens(nodeGone("n" + i));
        }
        engineScenario.afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void nodes_that_come_back_under_their_names_without_the_label_have_lost_it() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 3; i++) {
            engineScenario.happens(nodeGone("n" + i)).happens(nodeChanged("n" + i, bare()));
        }
        engineScenario.afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void new_nodes_that_never_had_the_label_have_not_lost_it() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 20; i++) {
            engineScenario.happens(nodeChanged("new-" + i, bare()));
        }

        assertThat(engineScenario.afterSeconds(70).turns).isEmpty();
    }

    @Test
    void a_value_that_changes_on_many_nodes_is_lost_like_a_label() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "hdd")));
        }
        engineScenario.after(Duration.ofHours(2));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.heldBecause()).startsWith("label disk=ssd left 6 of 10 nodes in 1 s; ");
    }

    @Test
    void a_rule_that_speaks_of_another_label_is_not_held() {
        EngineScenario engineScenario = EngineScenario.begin(
                        facts().node("n10", labels("cpu", "old"))
                                .node("n11", labels("cpu", "new"))
                                .replicaSet("api", 1)
                                .pod("api", on("n10"), replicaOf("api"), nodeSelector("cpu", "new")),
                        enforcing())
                .replacingOn("n11");

        losing(engineScenario, 1, 6).afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.evicted()).containsExactly("api");
    }

    @Test
    void a_label_that_no_rule_speaks_of_opens_nothing() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "ssd", "rev", "1")));
        }
        for (int i = 1; i <= NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "ssd", "rev", "2")));
        }

        assertThat(engineScenario.afterSeconds(70).turns).isEmpty();
        assertThat(engineScenario.engine.remembered()).isZero();
    }

    @Test
    void a_spread_over_the_nodes_that_the_pods_own_selector_allows_is_held_for_its_label_too() {
        EngineScenario engineScenario = EngineScenario.begin(
                facts().node("a", labels(ZONE, "a", "disk", "ssd"))
                        .node("b", labels(ZONE, "b", "disk", "ssd"))
                        .node("c", labels(ZONE, "c", "disk", "ssd"))
                        .replicaSet("api", 3)
                        .pod("api-1", api("a"))
                        .pod("api-2", api("a"))
                        .pod("api-3", api("a")),
                enforcing());

        losing(engineScenario, 1, 6).afterSeconds(70);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.events())
                .contains("Held api-1 LabelBreaker", "Held api-2 LabelBreaker", "Held api-3 LabelBreaker");
    }

    private static PodTrait api(String node) {
        return pod -> {
            on(node).of(pod);
            replicaOf("api").of(pod);
            nodeSelector("disk", "ssd").of(pod);
            spread(maxSkew(1, ZONE, app("api"))).of(pod);
        };
    }

    @Test
    void domains_that_are_taken_off_many_nodes_hold_rules_over_them() {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 4; i++) {
            facts.node("n" + i, zone("a"));
        }
        EngineScenario engineScenario = EngineScenario.begin(
                facts.node("b", zone("b"))
                        .pod("cache", on("n1"), labels("app", "cache"))
                        .replicaSet("web", 1)
                        .pod("web", on("n2"), replicaOf("web"), near(term(app("cache"), ZONE))),
                enforcing());

        losing(engineScenario, 1, 3).afterSeconds(70);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
        assertThat(engineScenario.heldBecause()).startsWith("label " + ZONE + " left 3 of 5 nodes in 1 s; ");
    }

    @Test
    void it_closes_by_itself_when_enough_nodes_have_the_label_again() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);
        for (int i = 6; i >= 3; i--) {
            engineScenario.happens(nodeChanged("n" + i, ssd()));
        }
        engineScenario.afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "HEALED disk");
        assertThat(engineScenario.turns.getLast().id())
                .isEqualTo(engineScenario.turns.getFirst().id());
        assertThat(engineScenario.afterSeconds(598).evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
        assertThat(engineScenario.afterSeconds(2).evicted()).containsExactly("web-1");
    }

    @Test
    void nobody_is_moved_from_a_node_that_gets_its_label_back_a_moment_after_the_breaker_closed() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);
        for (int i = 6; i >= 1; i--) {
            engineScenario.happens(nodeChanged("n" + i, ssd())).afterSeconds(60);
        }

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "HEALED disk");
        assertThat(engineScenario.after(Duration.ofHours(1)).reads).isEmpty();
    }

    @Test
    void it_closes_by_itself_when_the_nodes_without_the_label_leave() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).afterSeconds(70);

        engineScenario.happens(nodeGone("n1")).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "HEALED disk");
    }

    @Test
    void it_stays_open_however_long_the_label_is_away() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).after(Duration.ofDays(3));

        engineScenario
                .happens(nodeChanged("n9", labels("disk", "ssd", "cpu", "new")))
                .after(Duration.ofHours(1));
        engineScenario.happens(nodeChanged("new", bare())).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void acknowledged_it_closes_and_evictions_begin_with_one_and_double_every_ten_minutes() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 8).after(Duration.ofHours(2));
        String id = engineScenario.turns.getFirst().id();

        engineScenario.happens(acknowledged("another@1," + id)).afterSeconds(1);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "ACKNOWLEDGED disk");
        assertThat(engineScenario.evicted()).hasSize(1);
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("breaker " + id
                        + " closed at 2026-11-20T14:00:00Z, and evictions resume slowly: 1 of 1 evictions"
                        + " of these ten minutes were sent or are in progress; twice as many are allowed in the next");

        assertThat(engineScenario.afterSeconds(598).evicted()).hasSize(1);
        assertThat(engineScenario.afterSeconds(2).evicted()).hasSize(3);
        assertThat(engineScenario.afterSeconds(598).evicted()).hasSize(3);
        assertThat(engineScenario.afterSeconds(2).evicted()).hasSize(7);
        assertThat(engineScenario.afterSeconds(600).evicted()).hasSize(8);
    }

    @Test
    void what_speaks_of_another_label_neither_begins_slowly_nor_counts_for_what_does() {
        ClusterBuilder facts = facts().node("old", labels("cpu", "new")).node("new", labels("cpu", "new"));
        for (int i = 1; i <= 2; i++) {
            facts.replicaSet("api-" + i, 1)
                    .pod("api-" + i, on("old"), replicaOf("api-" + i), nodeSelector("cpu", "new"));
        }
        EngineScenario engineScenario = losing(
                        EngineScenario.begin(facts, enforcing()).replacingOn("new"), 1, 3)
                .happens(nodeChanged("old", labels("cpu", "old")))
                .afterSeconds(59);

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactlyInAnyOrder("api-1", "api-2", "web-1");
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
    }

    @Test
    void without_the_slow_beginning_all_would_go_as_fast_as_the_limits_let_them() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.RESUMING)), facts(), enforcing())
                .replacingOn("spare");
        losing(engineScenario, 1, 8).afterSeconds(70);

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(5);

        assertThat(engineScenario.evicted()).hasSize(8);
    }

    @Test
    void an_id_that_is_not_this_ones_changes_nothing() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);

        engineScenario.happens(acknowledged("disk,disk@1")).afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void an_id_that_is_nobodys_is_answered_once_with_those_that_there_are() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);

        engineScenario.happens(acknowledged("disk@1")).afterSeconds(70);
        engineScenario.happens(acknowledged("disk@1")).afterSeconds(70);

        assertThat(engineScenario.unknown)
                .containsExactly(new UnknownAcknowledgement(
                        Optional.empty(),
                        "nothing is held under disk@1, which was acknowledged; open now: "
                                + engineScenario.turns.getFirst().id()));
    }

    @Test
    void what_was_acknowledged_is_not_answered_when_it_still_stands_there() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).afterSeconds(70);
        String id = engineScenario.turns.getFirst().id();
        engineScenario.happens(acknowledged(id)).afterSeconds(30);

        losing(engineScenario.happens(acknowledged(id)), 6, 8).afterSeconds(30);

        assertThat(engineScenario.unknown).isEmpty();
    }

    @Test
    void what_was_acknowledged_before_the_start_was_meant_for_another_run() {
        EngineScenario engineScenario = EngineScenario.begin(facts().with(acknowledged("disk@1")), enforcing());

        losing(engineScenario, 1, 6).afterSeconds(70);

        assertThat(engineScenario.unknown).isEmpty();
    }

    @Test
    void once_acknowledged_only_further_losses_count_and_they_have_another_id() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).afterSeconds(70);
        String id = engineScenario.turns.getFirst().id();
        engineScenario.happens(acknowledged(id)).afterSeconds(30);

        losing(engineScenario, 4, 5).afterSeconds(30);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "ACKNOWLEDGED disk");
        losing(engineScenario, 6, 6).afterSeconds(30);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "ACKNOWLEDGED disk", "OPENED disk");
        assertThat(engineScenario.turns.getLast().id()).startsWith("disk@").isNotEqualTo(id);
    }

    @Test
    void labels_that_go_while_a_pod_is_read_keep_even_the_rehearsal_from_being_sent() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 1)
                .duringReads(
                        new Event.FactChanged(nodeChanged("n2", bare())),
                        new Event.FactChanged(nodeChanged("n3", bare())))
                .afterSeconds(60);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.rehearsals).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
    }

    @Test
    void labels_that_go_during_the_rehearsal_keep_the_real_request_from_being_sent() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 1)
                .duringRehearsal(
                        new Event.FactChanged(nodeChanged("n2", bare())),
                        new Event.FactChanged(nodeChanged("n3", bare())))
                .afterSeconds(60);

        assertThat(engineScenario.rehearsals).hasSize(1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
    }

    @Test
    void a_label_that_is_missing_after_a_time_without_sight_is_lost_like_any_other() {
        EngineScenario engineScenario = begin(enforcing()).loses(View.NODES).after(Duration.ofMinutes(10));

        losing(engineScenario, 1, 6).event(new Event.ViewSynced(View.NODES)).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void what_is_missing_when_the_operator_starts_was_never_there() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("spare", ssd())
                                .node("n1", bare())
                                .node("n2", bare())
                                .node("n3", bare())
                                .replicaSet("web-1", 1)
                                .pod("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")),
                        enforcing())
                .afterSeconds(60);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void where_policies_only_audit_it_is_shown_too() {
        EngineScenario engineScenario = losing(begin(auditing()), 1, 6).afterSeconds(70);

        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.LABEL_BREAKER);
    }

    @Test
    void what_comes_back_or_is_over_is_forgotten() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(30);
        for (int i = 1; i <= 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, ssd()));
        }
        engineScenario.after(Duration.ofHours(2)).happens(nodeChanged("n1", ssd()));

        assertThat(engineScenario.engine.remembered()).isZero();
    }
}

package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.PublishedWords;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when the status of a policy is written. */
class StatusSchedulerTest {
    private static final PolicyId WEB = Samples.POLICY;

    private Instant now = StatusInputs.READ_AT;
    private boolean leads = true;
    private PolicyLeader leader = PolicyLeader.of("holdfast-0_1", Instant.parse("2026-11-20T12:00:00Z"));
    private final List<PolicyId> rung = new ArrayList<>();
    private final PolicyReports reports = new PolicyReports();
    private final Metrics metrics = new Metrics(new SimpleMeterRegistry(), () -> now);
    private Optional<String> missing = Optional.empty();
    private Runnable whileAsked = () -> {};
    private Runnable whileDeciding = () -> {};
    private Optional<String> uid = Optional.of("uid");
    private InjectionSupport support = InjectionSupport.INSTALLED;
    private final StatusScheduler desk = new StatusScheduler(
            reports, this::leader, this::missing, () -> support, metrics, _ -> uid, () -> now, Duration.ofSeconds(10));
    private final PolicyEntry entry = StatusInputs.inMode(Mode.ENFORCE);
    private Optional<PolicyStatus> stands = Optional.empty();

    private Optional<PolicyLeader> leader() {
        whileDeciding.run();
        return leads ? Optional.of(leader) : Optional.empty();
    }

    private Optional<String> missing() {
        Optional<String> answer = missing;
        whileAsked.run();
        return answer;
    }

    private void report(int violating) {
        publish(StatusInputs.report(3, Mode.ENFORCE, violating, Map.of()));
    }

    private void publish(PolicyReport report) {
        reports.store(report);
        reports.notifyChanged(report.policy());
    }

    private void pass(int seconds) {
        now = now.plus(Duration.ofSeconds(seconds));
    }

    /** Decides whether to write the status, and stores a written status at once as the one on the policy. */
    private StatusDecision decide(PolicyEntry about) {
        StatusDecision decision = desk.decide(WEB, about, stands, false);
        if (decision instanceof StatusDecision.Write(PolicyStatus status)) {
            stands = Optional.of(status);
        }
        return decision;
    }

    private StatusDecision decide() {
        return decide(entry);
    }

    private String writtenReady() {
        return stands.orElseThrow().conditions().getFirst().status();
    }

    @Test
    void theFirstVisitIsAnsweredAtOnceAndTheFirstReportToo() {
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(writtenReady()).isEqualTo("Unknown");

        report(0);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(writtenReady()).isEqualTo("True");
    }

    @Test
    void whatSaysNothingNewIsNotWritten() {
        report(0);
        decide();
        pass(3_600);
        report(0);

        assertThat(decide()).isEqualTo(new StatusDecision.Leave());
    }

    @Test
    void afterAWriteTheNextWaitsForTheIntervalAndTheWriterIsNotCalledMeanwhile() {
        decide();
        report(0);
        decide();
        reports.onChange(rung::add);
        pass(4);
        report(1);
        assertThat(decide()).isEqualTo(new StatusDecision.Later(Duration.ofSeconds(6)));

        report(2);
        pass(6);
        report(3);
        assertThat(rung).containsExactly(WEB);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().pods())
                .isNotNull()
                .satisfies(pods -> assertThat(pods.violating()).isEqualTo(3));
    }

    @Test
    void anApiServerThatCanNoLongerInjectIsReportedThoughNothingElseHappens() {
        desk.check();
        report(0);
        decide();
        reports.onChange(rung::add);

        desk.check();
        assertThat(rung).isEmpty();

        support = InjectionSupport.NOT_SERVED;
        desk.check();
        desk.check();
        assertThat(rung).containsExactly(WEB);
    }

    @Test
    void anExceptionThatExpiresIsReportedThoughNothingElseHappens() {
        PolicyEntry excepting = StatusInputs.exceptingUntil(now.plusSeconds(60));
        report(0);
        decide(excepting);
        reports.onChange(rung::add);

        pass(59);
        desk.check();
        assertThat(rung).isEmpty();

        pass(1);
        desk.check();
        desk.check();
        assertThat(rung).containsExactly(WEB);
        assertThat(decide(excepting)).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().conditions().getFirst().message())
                .endsWith("; 1 of its `exceptions` expired at " + now + " and no longer has an effect");
    }

    @Test
    void nothingIsRememberedOfAPolicyThatIsDeletedDuringItsReconciliation() {
        for (Optional<String> next : List.of(Optional.<String>empty(), Optional.of("uid of the next policy"))) {
            uid = Optional.of("uid");
            whileDeciding = () -> {
                uid = next;
                desk.forget(WEB);
            };
            report(0);
            decide(StatusInputs.exceptingUntil(now.plusSeconds(60)));
            reports.onChange(rung::add);
            rung.clear();

            pass(60);
            desk.takeOver();
            desk.check();

            assertThat(rung).isEmpty();
        }
    }

    /** Otherwise the change of leader would be missing in the status until the next report. */
    @Test
    void aTakeoverDuringTheFirstReconciliationOfAPolicyTriggersAnother() {
        leads = false;
        reports.onChange(rung::add);
        whileDeciding = () -> {
            whileDeciding = () -> {};
            desk.takeOver();
        };

        assertThat(decide()).isEqualTo(new StatusDecision.Leave());

        desk.check();
        assertThat(rung).containsExactly(WEB);
    }

    /** The thread that renews the lease reports the takeover. What a trigger runs must not keep it from that. */
    @Test
    void aTakeoverTriggersNothingOnItsOwnThread() {
        leads = false;
        decide();
        reports.onChange(rung::add);

        desk.takeOver();
        assertThat(rung).isEmpty();

        desk.check();
        assertThat(rung).containsExactly(WEB);
        decide();
        desk.check();
        assertThat(rung).containsExactly(WEB);
    }

    @Test
    void aQuietPolicyIsWrittenAtOnceWhenSomethingHappens() {
        decide();
        report(0);
        decide();
        pass(3_600);
        report(1);

        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
    }

    @Test
    void anEditIsAnsweredWithinTheInterval() {
        decide();
        report(0);
        decide();
        pass(1);
        PolicyEntry edited = new PolicyEntry(
                "uid",
                4,
                entry.translation(),
                Optional.of(new PolicyEntry.InForce(4, Mode.ENFORCE, Duration.ofMinutes(1))),
                Set.of(),
                now);
        assertThat(decide(edited))
                .as("given two seconds to be evaluated, instead of being unknown in between")
                .isEqualTo(new StatusDecision.Later(Duration.ofSeconds(2)));

        pass(1);
        publish(StatusInputs.report(4, Mode.ENFORCE, 0, Map.of()));
        assertThat(decide(edited)).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().observedGeneration()).isEqualTo(4);
        assertThat(writtenReady()).isEqualTo("True");
    }

    @Test
    void anEditThatIsNotEvaluatedSaysSoAfterTwoSeconds() {
        report(0);
        decide();
        PolicyEntry edited = new PolicyEntry(
                "uid",
                4,
                entry.translation(),
                Optional.of(new PolicyEntry.InForce(4, Mode.ENFORCE, Duration.ofMinutes(1))),
                Set.of(),
                now);
        decide(edited);
        pass(2);

        assertThat(decide(edited)).isInstanceOf(StatusDecision.Write.class);
        assertThat(writtenReady()).isEqualTo("Unknown");
    }

    @Test
    void whatAnEarlierRunWroteStandsUntilThisOneHasReadTheCluster() {
        report(0);
        decide();
        StatusScheduler restarted = new StatusScheduler(
                new PolicyReports(),
                () -> leads ? Optional.of(leader) : Optional.empty(),
                Optional::empty,
                () -> support,
                new Metrics(new SimpleMeterRegistry(), () -> now),
                _ -> uid,
                () -> now,
                Duration.ofSeconds(10));

        assertThat(restarted.decide(WEB, entry, stands, false))
                .isEqualTo(new StatusDecision.Later(Duration.ofSeconds(30)));
        pass(30);
        assertThat(restarted.decide(WEB, entry, stands, false)).isInstanceOf(StatusDecision.Write.class);
    }

    @Test
    void aStandbyWritesNothingUntilItLeads() {
        leads = false;
        report(0);
        assertThat(decide()).isEqualTo(new StatusDecision.Leave());
        reports.onChange(rung::add);

        leads = true;
        desk.takeOver();
        desk.check();
        assertThat(rung).containsExactly(WEB);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
    }

    @Test
    void whoTakesOverLooksAlsoAtPoliciesThatTheEngineNeverSpokeOf() {
        leads = false;
        decide(StatusInputs.entry("{forgivenessSeconds: -1}", Optional.empty()));
        reports.onChange(rung::add);

        leads = true;
        desk.takeOver();
        desk.check();

        assertThat(rung).containsExactly(WEB);
    }

    @Test
    void aWriteThatDidNotComeBackYetIsNotRepeatedAndAFailedOneIs() {
        report(0);
        decide();
        stands = Optional.empty();

        assertThat(decide()).isEqualTo(new StatusDecision.Later(Duration.ofSeconds(5)));
        assertThat(desk.decide(WEB, entry, stands, true)).isInstanceOf(StatusDecision.Write.class);
    }

    @Test
    void aSecondWriteThatFailedIsMadeAgainAfterTheIntervalThoughTheFailureIsForgotten() {
        report(0);
        decide();
        Optional<PolicyStatus> first = stands;
        pass(3_600);
        report(1);
        assertThat(desk.decide(WEB, entry, first, false)).isInstanceOf(StatusDecision.Write.class);

        assertThat(desk.decide(WEB, entry, first, true)).isEqualTo(new StatusDecision.Later(Duration.ofSeconds(10)));
        pass(10);
        assertThat(desk.decide(WEB, entry, first, false)).isInstanceOf(StatusDecision.Write.class);
    }

    @Test
    void aWriteThatWasLostUnseenIsMadeAgain() {
        report(0);
        decide();
        Optional<PolicyStatus> first = stands;
        pass(3_600);
        report(1);
        desk.decide(WEB, entry, first, false);

        pass(5);
        assertThat(desk.decide(WEB, entry, first, false)).isEqualTo(new StatusDecision.Later(Duration.ofSeconds(5)));
        pass(5);
        assertThat(desk.decide(WEB, entry, first, false)).isInstanceOf(StatusDecision.Write.class);
    }

    @Test
    void aStatusInWhichOnlyTheLeaderIsAnotherIsWrittenWithinFiveMinutes() {
        report(0);
        decide();
        pass(3_600);
        stands = stands.map(it -> it.withLeader(PolicyLeader.of("another", now.minusSeconds(3_600))));
        // The wall clock was set forward, which the scheduler does not follow.
        leader = PolicyLeader.of("holdfast-0_1", now.plusSeconds(3_600));
        desk.takeOver();

        StatusDecision first = decide();

        assertThat(first).isInstanceOf(StatusDecision.Later.class);
        pass(300);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.map(PolicyStatus::leader)).contains(leader);
    }

    @Test
    void aStatusThatAnotherClientWroteOverIsRepaired() {
        report(0);
        decide();
        pass(3_600);
        stands = stands.map(it -> new PolicyStatus(
                it.observedGeneration(), List.of(), null, null, List.of(), null, null, List.of(), List.of(), null));

        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(writtenReady()).isEqualTo("True");
    }

    @Test
    void aStatusReadBackFromTheClusterIsTheOneThatWasWritten() {
        publish(StatusDraftTest.telling());
        decide();
        pass(3_600);
        stands = stands.map(it -> Serialization.unmarshal(Serialization.asJson(it), PolicyStatus.class));

        assertThat(decide()).isEqualTo(new StatusDecision.Leave());
    }

    @Test
    void aCeilingThatAppearsIsWritten() {
        decide();
        report(0);
        decide();
        pass(10);
        desk.capped(Optional.of("maxMode is Audit"));
        publish(StatusInputs.report(3, Mode.AUDIT, 0, Map.of()));

        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().conditions().getLast().reason()).isEqualTo("MaxMode");
    }

    @Test
    void anotherReasonForTheSameCeilingIsWrittenThoughTheEngineHasNothingNewToSay() {
        desk.capped(Optional.of("the right to evict is not known yet"));
        decide();
        publish(StatusInputs.report(3, Mode.AUDIT, 0, Map.of()));
        decide();
        pass(10);
        reports.onChange(rung::add);

        desk.capped(Optional.of("the right to evict is missing"));

        assertThat(rung).containsExactly(WEB);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().conditions().getLast().message()).endsWith(": the right to evict is missing");
    }

    @Test
    void aViewThatIsMissingForLongIsWrittenThoughTheEngineHasNothingNewToSay() {
        report(0);
        decide();
        pass(30);
        reports.onChange(rung::add);

        missing = Optional.of("view pods: one thing");
        desk.check();
        pass(4);
        missing = Optional.of("view pods: another thing");
        desk.check();
        pass(5);
        desk.check();
        assertThat(rung).isEmpty();
        assertThat(decide()).isEqualTo(new StatusDecision.Leave());
        pass(1);
        desk.check();
        assertThat(rung).containsExactly(WEB);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().conditions().getLast().message()).endsWith(": view pods: another thing");

        pass(10);
        missing = Optional.empty();
        desk.check();
        assertThat(rung).hasSize(2);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(stands.orElseThrow().conditions().getLast().reason()).isEqualTo("NothingHeld");
    }

    @Test
    void theFirstReportOfAClusterThatTookLongToReadIsWrittenAtOnceAndTheNextOneWaits() {
        missing = Optional.of("view pods: not listed yet");
        desk.check();
        decide();
        pass(30);
        desk.check();
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        pass(4);
        missing = Optional.empty();
        desk.check();
        report(1);
        assertThat(decide()).isInstanceOf(StatusDecision.Write.class);
        assertThat(writtenReady()).isEqualTo("True");

        report(2);
        assertThat(decide()).isEqualTo(new StatusDecision.Later(Duration.ofSeconds(10)));
    }

    @Test
    void aViewThatIsMissingForAMomentIsNotReported() {
        report(0);
        decide();
        pass(30);
        reports.onChange(rung::add);

        missing = Optional.of("view pods: one thing");
        desk.check();
        pass(9);
        desk.check();
        missing = Optional.empty();
        pass(1);
        desk.check();
        missing = Optional.of("view pods: one thing");
        pass(1);
        desk.check();
        pass(9);
        desk.check();

        assertThat(rung).isEmpty();
        assertThat(decide()).isEqualTo(new StatusDecision.Leave());
    }

    @Test
    void aViewThatComesWhileItIsAskedForIsFoundByTheNextLook() {
        report(0);
        decide();
        missing = Optional.of("view nodes: not listed yet");
        desk.check();
        pass(30);
        reports.onChange(rung::add);

        whileAsked = () -> missing = Optional.empty();
        desk.check();
        decide();
        assertThat(stands.orElseThrow().conditions().getLast().message()).endsWith(": view nodes: not listed yet");
        pass(10);
        desk.check();
        assertThat(rung).hasSize(2);
        decide();
        assertThat(stands.orElseThrow().conditions().getLast().reason()).isEqualTo("NothingHeld");
    }

    @Test
    void aViewThatIsLostWhileItIsAskedForIsFoundByTheNextLook() {
        report(0);
        decide();
        pass(30);
        reports.onChange(rung::add);

        whileAsked = () -> missing = Optional.of("view nodes: one thing");
        desk.check();
        pass(1);
        desk.check();
        pass(9);
        desk.check();
        assertThat(rung).isEmpty();
        pass(1);
        desk.check();
        assertThat(rung).containsExactly(WEB);
        decide();
        assertThat(stands.orElseThrow().conditions().getLast().message()).endsWith(": view nodes: one thing");
    }

    @Test
    void readinessIsMeasuredAlsoByAStandby() {
        leads = false;
        report(0);
        decide();

        assertThat(PublishedWords.policies(metrics)).contains("\nholdfast_policy_ready{policy=\"shop/web\"} 1.0\n");
    }
}

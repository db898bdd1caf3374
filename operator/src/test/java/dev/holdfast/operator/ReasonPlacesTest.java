package dev.holdfast.operator;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.publish.EventReason;
import dev.holdfast.operator.publish.PublishedWords;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.reconcile.StatusWords;
import dev.holdfast.operator.reconcile.status.ConditionReason;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.PolicyReport.EvictionRecord;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Users read every word of the page on reasons in each place where the page says that it appears. Each place has a
 * renderer, which feeds the word to the code that writes there and returns the values at the word's spot.
 */
class ReasonPlacesTest {
    private static final String BLOCKED = "PlacementEvictionBlocked";

    /** Each hold without an event, and the events that lead a busy engine to it. */
    private static final Map<Reason, List<Event>> WITHOUT_EVENT =
            new TreeMap<>(Map.of(Reason.NOT_LEADER, List.of(), Reason.QUEUED, List.of(new Event.LeadershipGained())));

    private static final Pattern WITHOUT_EVENT_ON_PAGE = Pattern.compile("`(\\w+)`\\s+has\\s+none\\s+because");

    private static final NamespacedName OTHER = new NamespacedName("shop", "other");
    private static final Cause.LabelChange CHANGE =
            new Cause.LabelChange("disk", Optional.of("ssd"), Optional.of("hdd"));
    private static final Taint TAINT = new Taint("maintenance", "", "NoSchedule");
    private static final List<Cause> CAUSES = List.of(
            new Cause.FoundAtStart(),
            new Cause.PolicyChanged(Samples.POLICY),
            new Cause.PodPlaced("node-12"),
            new Cause.NodeLabelChanged("node-12", CHANGE),
            new Cause.PodLabelChanged(OTHER, CHANGE),
            new Cause.TolerationsChanged(),
            new Cause.AnnotationRulesChanged(),
            new Cause.PartnerLabelChanged(OTHER, CHANGE),
            new Cause.NamespaceLabelChanged("shop", CHANGE),
            new Cause.PartnerCame(OTHER, "node-12"),
            new Cause.PartnerLeft(OTHER),
            new Cause.NodeCame("node-12"),
            new Cause.NodeLeft("node-12"),
            new Cause.TaintCame("node-12", TAINT),
            new Cause.TaintLeft("node-12", TAINT),
            new Cause.DomainChanged("node-12", CHANGE),
            new Cause.NamespaceChanged("shop"));

    /** The renderer of each place of a kind, by the kind and the place as the page names them. */
    private static final Map<String, Function<String, List<String>>> RENDERERS = Map.ofEntries(
            entry("hold in status.holds", word -> StatusWords.listed("status.holds", "reason", held(word))),
            entry("hold in status.violations", word -> StatusWords.listed("status.violations", "reason", held(word))),
            entry("hold in condition EnforcementHeld", word -> StatusWords.reasons("EnforcementHeld", held(word))),
            entry(
                    "hold in event " + BLOCKED,
                    word -> PublishedWords.heldInEvents(
                            BLOCKED, List.of(new Notification.Held(Samples.violation(), hold(word))))),
            entry(
                    "hold in holdfast_held_violations",
                    word -> PublishedWords.series("holdfast_held_violations", "reason", it -> it.publish(held(word)))),
            entry(
                    "state in status.violations",
                    word -> StatusWords.listed("status.violations", "state", standing(word))),
            entry(
                    "state in holdfast_violations",
                    word -> PublishedWords.series("holdfast_violations", "state", it -> it.publish(standing(word)))),
            entry(
                    "end in holdfast_violations_ended_total",
                    word -> PublishedWords.series(
                            "holdfast_violations_ended_total",
                            "how",
                            it -> ended(word).forEach(it::count))),
            entry("end in the log", word -> PublishedWords.logged("reason", ended(word))),
            entry("cause in the log", word -> PublishedWords.logged("cause", caused(word))),
            entry("cause in the audit log", word -> PublishedWords.audited("cause", caused(word))),
            entry(
                    "cause in holdfast_violation_causes_total",
                    word -> PublishedWords.series(
                            "holdfast_violation_causes_total",
                            "cause",
                            it -> caused(word).forEach(it::count))),
            entry(
                    "restart in holdfast_clock_restarts_total",
                    word -> PublishedWords.restarts(one(ClockRestart.values(), ClockRestart::label, word))),
            entry("answer in the audit log", word -> PublishedWords.audited("answer", PublishedWords.answers(word))),
            entry(
                    "answer in holdfast_evictions_total",
                    word -> PublishedWords.series(
                            "holdfast_evictions_total",
                            "outcome",
                            it -> PublishedWords.answers(word).forEach(it::count))),
            entry(
                    "outcome in status.recentEvictions",
                    word -> StatusWords.listed("status.recentEvictions", "outcome", moved(word))),
            entry(
                    "outcome in the audit log",
                    word -> PublishedWords.audited(
                            "outcome", outcomes(word).map(PublishedWords::moved).toList())),
            entry(
                    "condition in status.conditions",
                    word -> StatusWords.types(one(ConditionType.values(), ConditionType::label, word))),
            entry(
                    "reason in status.conditions",
                    word -> StatusWords.reasons(one(ConditionReason.values(), ConditionReason::label, word))),
            entry(
                    "omission in condition SchedulingEnforced",
                    word -> StatusWords.omissions(one(InjectionOutcome.values(), InjectionOutcome::label, word))),
            entry(
                    "event in kubectl get events",
                    word -> PublishedWords.events(one(EventReason.values(), EventReason::label, word))));

    private static <T> T one(T[] values, Function<T, String> label, String word) {
        return Arrays.stream(values)
                .filter(it -> label.apply(it).equals(word))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing in the code, or no sample here, has the word " + word));
    }

    private static Hold hold(String word) {
        return Hold.untilChange(one(Reason.values(), Reason::label, word), "as tested");
    }

    private static PolicyReport held(String word) {
        return Samples.report(Samples.violation(ViolationState.HELD, Optional.of(hold(word))), List.of());
    }

    private static PolicyReport standing(String word) {
        ViolationState state = one(ViolationState.values(), ViolationState::label, word);
        return Samples.report(Samples.violation(state, Optional.empty()), List.of());
    }

    private static List<Notification> ended(String word) {
        return List.of(new Notification.Ended(Samples.violation(), one(End.values(), End::label, word)));
    }

    /**
     * A violation that began and the eviction for it. At level INFO the log omits the begin of those found at start.
     */
    private static List<Notification> caused(String word) {
        Cause cause = one(CAUSES.toArray(Cause[]::new), Cause::label, word);
        ViolationReport violation = Samples.violation("web-1", Mode.ENFORCE, cause, Samples.NOT_SSD);
        return List.of(
                new Notification.Started(violation), new Notification.Evicting(violation, "p1", Optional.empty()));
    }

    /** Both futile outcomes have the same word. */
    private static Stream<Outcome> outcomes(String word) {
        return Arrays.stream(Outcome.values()).filter(it -> it.label().equals(word));
    }

    private static PolicyReport moved(String word) {
        return Samples.report(
                Samples.violation(),
                outcomes(word)
                        .map(outcome -> new EvictionRecord(
                                Samples.SINCE,
                                OTHER,
                                "node-12",
                                Optional.empty(),
                                "ssd",
                                "a cause",
                                Optional.of(outcome)))
                        .toList());
    }

    private static List<String> wordsWithoutEvent() {
        // EventRecorderTest shows that the engine reports this one, and that no event is written.
        return Stream.concat(WITHOUT_EVENT.keySet().stream(), Stream.of(Reason.NOT_POSSIBLE))
                .map(Reason::label)
                .toList();
    }

    static Stream<Arguments> wordsAndPlaces() {
        return ReasonsPage.places().entrySet().stream()
                .flatMap(kind -> kind.getValue().stream()
                        .flatMap(place -> ReasonsPage.words(kind.getKey()).stream()
                                .filter(word -> !(place.endsWith(BLOCKED)
                                        && wordsWithoutEvent().contains(word)))
                                .map(word -> argumentSet(
                                        kind.getKey() + " " + word + " in " + place,
                                        kind.getKey() + " in " + place,
                                        word))));
    }

    @ParameterizedTest
    @MethodSource("wordsAndPlaces")
    void aWordIsInThePlacesOfItsKind(String kindAndPlace, String word) {
        Function<String, List<String>> renderer = Optional.ofNullable(RENDERERS.get(kindAndPlace))
                .orElseThrow(() -> new AssertionError("add to RENDERERS how users read a '" + kindAndPlace + "'"));

        assertThat(renderer.apply(word)).isNotEmpty().containsOnly(word);
    }

    @Test
    void everyPlaceOfThePageHasARendererAndEveryRendererItsPlace() {
        assertThat(RENDERERS.keySet())
                .as("RENDERERS needs one entry for each kind and place of the table at the top of docs/reasons.md")
                .containsExactlyInAnyOrderElementsOf(ReasonsPage.places().entrySet().stream()
                        .flatMap(kind -> kind.getValue().stream().map(place -> kind.getKey() + " in " + place))
                        .toList());
    }

    @Test
    void everyKindHasWordsAndOnlyVerdictsHaveNoPlace() {
        assertThat(ReasonsPage.places())
                .containsOnlyKeys(ReasonsPage.KINDS.values())
                .allSatisfy((kind, places) -> {
                    assertThat(ReasonsPage.words(kind))
                            .as("docs/reasons.md needs a table with words of the kind %s", kind)
                            .isNotEmpty();
                    assertThat(places.isEmpty())
                            .as("the kind %s appears nowhere", kind)
                            .isEqualTo(kind.equals("verdict"));
                });
    }

    static Stream<Arguments> holdsWithoutEvent() {
        return WITHOUT_EVENT.entrySet().stream()
                .map(it -> argumentSet(
                        "hold " + it.getKey().label() + " not in event " + BLOCKED, it.getKey(), it.getValue()));
    }

    @ParameterizedTest
    @MethodSource("holdsWithoutEvent")
    void aHoldWithoutAnEventHasNone(Reason reason, List<Event> events) {
        BusyEngine.Told told = BusyEngine.after(events);

        assertThat(told.holds()).contains(reason);
        assertThat(PublishedWords.heldInEvents(BLOCKED, told.notifications())).isEmpty();
    }

    @Test
    void thePageNamesTheHoldsWithoutAnEvent() {
        assertThat(WITHOUT_EVENT_ON_PAGE.matcher(ReasonsPage.text()).results().map(it -> it.group(1)))
                .containsExactlyInAnyOrderElementsOf(wordsWithoutEvent());
    }
}

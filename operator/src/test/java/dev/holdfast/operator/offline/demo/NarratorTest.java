package dev.holdfast.operator.offline.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.demo.Scene.Ending;
import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import dev.holdfast.operator.offline.demo.SceneResult.AsExpected;
import dev.holdfast.operator.offline.demo.SceneResult.Difference;
import dev.holdfast.operator.offline.demo.SceneResult.NotAsExpected;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link Narrator} prints about scenes, with events copied from a real run. */
class NarratorTest {
    private static final Instant START = Instant.parse("2026-11-22T21:14:00Z");
    private static final String SINCE = "label zone of node pod-anti-affinity-b1 changed b -> a";
    private static final String RULE = "PodAntiAffinity (apart from (app=web) by zone)";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Instant now = START;

    private static final Scene APART = new Scene(
            "pod-anti-affinity",
            "no two pods of web in one zone, and node b1 changes from zone b to a",
            new Ending.Moved(1, "c1"));
    private static final Scene HELD = new Scene(
            "held",
            "web requires disk=ssd, n1 changes to disk=hdd, and no other node has disk=ssd",
            new Ending.Held("Infeasible"));

    private static PlacementEvent onPod(String reason, String pod, String message) {
        return new PlacementEvent(reason, "Pod", pod, 1, message);
    }

    private static PlacementEvent violated(String pod, String other) {
        return onPod(
                "PlacementViolated",
                pod,
                "Rule " + RULE + " broken since " + SINCE + ": it shares zone=a with pod-anti-affinity/" + other
                        + ". Due for eviction at 2026-11-22T21:14:37Z (forgiveness 10s) unless pod-anti-affinity/"
                        + other + " leaves zone=a; policy pod-anti-affinity/keep.");
    }

    private static final PlacementEvent BLOCKED = onPod(
            "PlacementEvictionBlocked",
            "web-675579d9f7-nn7vm",
            "Not evicting from pod-anti-affinity-a1 (MoveInScope): pod pod-anti-affinity/web-675579d9f7-fs2h6 would be"
                    + " moved first, and the rule is judged again after that; next try when the cause of the hold"
                    + " changes; rule "
                    + RULE + " broken since " + SINCE + " 11s ago; forgiveness 10s; policy pod-anti-affinity/keep.");
    private static final PlacementEvent EVICTED = onPod(
            "PlacementEvicted",
            "web-675579d9f7-fs2h6",
            "Evicted from pod-anti-affinity-b1: rule " + RULE + " broken since " + SINCE
                    + " 12s ago; forgiveness 10s; policy pod-anti-affinity/keep.");
    private static final List<PlacementEvent> AT_FIRST = List.of(
            violated("web-675579d9f7-fs2h6", "web-675579d9f7-nn7vm"),
            violated("web-675579d9f7-nn7vm", "web-675579d9f7-fs2h6"));
    private static final List<PlacementEvent> AT_LAST = List.of(
            onPod(
                    "PlacementEvicting",
                    "web-675579d9f7-fs2h6",
                    "Evicting from pod-anti-affinity-b1: rule " + RULE
                            + " broken; pod-anti-affinity-c1 would take the pod"),
            EVICTED,
            onPod("PlacementHealed", "web-675579d9f7-nn7vm", "Rule " + RULE + " holds again after 12s"),
            new PlacementEvent(
                    "PlacementMoved",
                    "PlacementPolicy",
                    "keep",
                    1,
                    "Pod pod-anti-affinity/web-675579d9f7-fs2h6: Moved from pod-anti-affinity-b1 to"
                            + " pod-anti-affinity-c1 within 1s"),
            new PlacementEvent("PlacementViolated", "PlacementPolicy", "keep", 2, "Pod web-675579d9f7-nn7vm: ..."));
    private static final EndedMove MOVE = new EndedMove("web-675579d9f7-fs2h6", "b1", "c1", "Moved");
    private static final PlacementEvent INFEASIBLE = onPod(
            "PlacementEvictionBlocked",
            "web-778cfb4447-lxkv4",
            "Not evicting from held-n1 (Infeasible): no other node would take the pod now: of 12 others 12 against its"
                    + " rules; next try in 27s; rule NodeAffinity (pool=held and disk In [ssd]) broken; policy"
                    + " held/keep.");

    private static final String SCENE = """

        1/2 pod-anti-affinity: no two pods of web in one zone, and node b1 changes from zone b to a
         27.5s  violated  2 pods since label zone of node b1 changed b -> a
                due       at 21:14:37Z (forgiveness 10s) unless web-675579d9f7-nn7vm leaves zone=a
         38.0s  held      web-675579d9f7-nn7vm, MoveInScope: pod web-675579d9f7-fs2h6 would be moved first
         39.0s  evicted   web-675579d9f7-fs2h6 from b1
         39.0s  healed    web-675579d9f7-nn7vm: the rule holds again, without an eviction
         39.0s  moved     web-675579d9f7-fs2h6 from b1 to c1: Ready, and the rule holds
                => as expected: 1 pod moved to c1; web runs on a1, c1
        """;

    private Narrator narrator(TerminalCapabilities terminal, Narrator.Detail detail) {
        return new Narrator(new PrintWriter(out, false, UTF_8), () -> now, terminal, detail);
    }

    private String printed() {
        String text = out.toString(UTF_8);
        out.reset();
        return text;
    }

    private void at(double second) {
        now = START.plusMillis(Math.round(second * 1000));
    }

    /** Passes two scenes that run at the same time to the narrator; the second scene ends first. */
    private void play(Narrator narrator) {
        narrator.begin(List.of(APART, HELD));
        at(27.5);
        narrator.follow(APART.name(), AT_FIRST, List.of());
        at(38);
        List<PlacementEvent> events = new ArrayList<>(AT_FIRST);
        events.add(BLOCKED);
        narrator.follow(APART.name(), events, List.of());
        narrator.follow(HELD.name(), List.of(INFEASIBLE), List.of());
        narrator.end(HELD.name(), new AsExpected("held for Infeasible, no pod was evicted; web runs on n1"));
        at(39);
        events.addAll(AT_LAST);
        narrator.follow(APART.name(), events, List.of(MOVE));
        narrator.end(APART.name(), new AsExpected("1 pod moved to c1; web runs on a1, c1"));
        narrator.conclude(true);
    }

    @Test
    void scenesThatHappenAtTheSameTimeArePrintedOneAfterTheOther() {
        play(narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY));

        String all = printed();
        assertThat(all).isEqualTo(SCENE + """

            2/2 held: web requires disk=ssd, n1 changes to disk=hdd, and no other node has disk=ssd
             38.0s  held      web-778cfb4447-lxkv4, Infeasible: no other node would take the pod now
                    => as expected: held for Infeasible, no pod was evicted; web runs on n1

            All 2 scenes ended as expected.
            """);
        assertThat(all.lines()).allMatch(line -> line.length() <= Columns.WIDTH).hasSize(15);
        assertThat(all).doesNotContain("\u001b", "\r");
    }

    @Test
    void ofSeveralHoldsOfAPodTheLastIsPrinted() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);
        PlacementEvent slowStart = onPod(
                "PlacementEvictionBlocked",
                "web-778cfb4447-lxkv4",
                "Not evicting from held-n1 (SlowStart): 1 eviction of all policies may be in flight; policy"
                        + " held/keep.");

        narrator.begin(List.of(HELD));
        at(30);
        narrator.follow(HELD.name(), List.of(slowStart), List.of());
        at(38);
        narrator.follow(HELD.name(), List.of(slowStart, INFEASIBLE), List.of());
        narrator.end(HELD.name(), new AsExpected("held for Infeasible, no pod was evicted; web runs on n1"));

        assertThat(printed()).isEqualTo("""

            1/1 held: web requires disk=ssd, n1 changes to disk=hdd, and no other node has disk=ssd
             38.0s  held      web-778cfb4447-lxkv4, Infeasible: no other node would take the pod now
                    => as expected: held for Infeasible, no pod was evicted; web runs on n1
            """);
    }

    @Test
    void aHoldAfterAnEvictionIsNotPrintedForTheOneBeforeIt() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);
        narrator.begin(List.of(APART));
        at(38);
        narrator.follow(APART.name(), List.of(BLOCKED), List.of());
        at(39);
        narrator.follow(APART.name(), List.of(BLOCKED, EVICTED), List.of());
        at(49);
        narrator.follow(
                APART.name(),
                List.of(
                        BLOCKED,
                        EVICTED,
                        onPod(
                                "PlacementEvictionBlocked",
                                "web-675579d9f7-nn7vm",
                                "Not evicting from pod-anti-affinity-a1 (WorkloadLimit): later; policy keep.")),
                List.of());
        narrator.end(APART.name(), new AsExpected("1 pod moved to c1; web runs on a1, c1"));

        assertThat(printed()).contains("""
             38.0s  held      web-675579d9f7-nn7vm, MoveInScope: pod web-675579d9f7-fs2h6 would be moved first
             39.0s  evicted   web-675579d9f7-fs2h6 from b1
            """);
    }

    @Test
    void verbosePrintsEveryEventInFullAfterItsScene() {
        play(narrator(TerminalCapabilities.NONE, Narrator.Detail.ALL_EVENTS));

        String all = printed();
        assertThat(all).startsWith(SCENE + " 27.5s  | PlacementViolated Pod pod-anti-affinity/web-675579d9f7-fs2h6: ");
        assertThat(all)
                .contains(
                        AT_FIRST.getFirst().message(),
                        AT_FIRST.getLast().message(),
                        " 38.0s  | PlacementEvictionBlocked Pod pod-anti-affinity/web-675579d9f7-nn7vm: "
                                + BLOCKED.message() + "\n",
                        " 39.0s  | PlacementViolated PlacementPolicy pod-anti-affinity/keep (2 times): Pod web-",
                        " 38.0s  | PlacementEvictionBlocked Pod held/web-778cfb4447-lxkv4: " + INFEASIBLE.message());
        AT_LAST.forEach(event -> assertThat(all).containsOnlyOnce(event.message() + "\n"));
        assertThat(all.lines().filter(line -> line.contains("  | "))).hasSize(9);
    }

    @Test
    void verbosePrintsEventsAfterTheEndOfTheirSceneToo() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.ALL_EVENTS);
        narrator.begin(List.of(HELD));
        narrator.end(HELD.name(), new AsExpected("held"));
        narrator.follow(HELD.name(), List.of(INFEASIBLE), List.of());
        printed();

        narrator.conclude(true);

        assertThat(printed())
                .isEqualTo("  0.0s  | PlacementEvictionBlocked Pod held/web-778cfb4447-lxkv4: " + INFEASIBLE.message()
                        + "\n\nAll 1 scenes ended as expected.\n");
    }

    @Test
    void aFailedSceneSaysWhatWasExpectedAndWhatWasSeen() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);
        narrator.begin(List.of(HELD));
        narrator.follow(HELD.name(), List.of(onPod("PlacementNew", "web-1", "A new message.")), List.of());
        narrator.end(
                HELD.name(),
                new NotAsExpected(List.of(
                        new Difference("a hold in the policy's status: Infeasible", "none"),
                        new Difference(
                                "no evictions, and running: web-1 on n1",
                                "nothing ".repeat(12).strip()))));
        narrator.conclude(false);

        assertThat(printed()).isEqualTo("""

            1/1 held: web requires disk=ssd, n1 changes to disk=hdd, and no other node has disk=ssd
              0.0s  event     PlacementNew, web-1: A new message.
                    => NOT as expected:
                       expected  a hold in the policy's status: Infeasible
                       seen      none
                       expected  no evictions, and running: web-1 on n1
                       seen      nothing nothing nothing nothing nothing nothing nothing nothing nothing nothing
                                 nothing nothing

            1 of 1 scenes did not end as expected: held
            """);
    }

    @Test
    void aSceneThatChangesAfterItsEndHasFailed() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);
        narrator.begin(List.of(HELD));
        narrator.end(HELD.name(), new AsExpected("held"));
        printed();
        narrator.revoke(HELD.name(), List.of(new Difference("violating pods in the policy's status: 0", "1")));
        narrator.conclude(false);

        assertThat(printed()).isEqualTo("""

            held, afterwards
                    => NOT as expected:
                       expected  violating pods in the policy's status: 0
                       seen      1

            1 of 1 scenes did not end as expected: held
            """);
    }

    @Test
    void aTerminalShowsOneLiveLineThatIsOverwritten() {
        Narrator narrator = narrator(new TerminalCapabilities(true, false), Narrator.Detail.SUMMARY);
        narrator.begin(List.of(APART));
        printed();

        narrator.follow(APART.name(), List.of(), List.of());
        assertThat(printed()).isEqualTo("\r        waiting for the operator");
        at(27.5);
        narrator.follow(APART.name(), AT_FIRST, List.of());
        assertThat(printed()).isEqualTo("\r        9 s of forgiveness left ");
        at(27.6);
        narrator.follow(APART.name(), AT_FIRST, List.of());
        assertThat(printed()).isEmpty();
        at(37.5);
        narrator.follow(APART.name(), AT_FIRST, List.of());
        assertThat(printed()).isEqualTo("\r        the violation is due   ");
        narrator.say("more");
        assertThat(printed()).isEqualTo("\r                            \r 37.5s  more\n");
    }

    @Test
    void aTerminalWithColoursShowsThemInHeadingsAndVerdicts() {
        Narrator narrator = narrator(new TerminalCapabilities(false, true), Narrator.Detail.SUMMARY);
        narrator.begin(List.of(HELD));
        narrator.end(HELD.name(), new AsExpected("held"));

        assertThat(printed())
                .contains(
                        "\n\u001b[1m1/1 held: ",
                        "disk=ssd\u001b[0m\n",
                        "\u001b[32m        => as expected: held\u001b[0m");
    }

    @Test
    void longTextsAreWrapped() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);

        narrator.say("word ".repeat(20).strip());

        assertThat(printed()).isEqualTo("  0.0s " + " word".repeat(18) + "\n       " + " word".repeat(2) + "\n");
    }

    @Test
    void nothingIsPrintedAfterTheLastWords() {
        Narrator narrator = narrator(TerminalCapabilities.NONE, Narrator.Detail.SUMMARY);
        narrator.begin(List.of(HELD));
        printed();
        narrator.say("ready");
        narrator.lastWords(() -> {
            narrator.say("meanwhile");
            return "ended";
        });
        narrator.say("more");
        narrator.follow(HELD.name(), List.of(INFEASIBLE), List.of());
        narrator.end(HELD.name(), new AsExpected("held"));
        narrator.conclude(true);

        assertThat(printed()).isEqualTo("  0.0s  ready\n  0.0s  ended\n");
    }
}

package dev.holdfast.it.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is read of the descheduler's log. */
class DeschedulerLogTest {
    private static final List<String> LINES = List.of(
            "I1120 15:42:05.000001       1 descheduler.go:300] \"Number of evictions/requests\" totalEvicted=0",
            "E1120 15:42:10.123456       1 evictions.go:549] \"Error evicting pod\" err=\"limit\" limit=0"
                    + " namespace=\"bench\" pod=\"bench/even-1-a\"",
            "I1120 15:42:10.200000       1 predicates.go:1] \"CandidatePod matches\" candidatePod=\"bench/apart-1-a\""
                    + " assignedPod=\"bench/plain-1-a\"",
            "a line of something else",
            "I1120 15:42:10.300000       1 descheduler.go:300] \"Number of evictions/requests\" totalEvicted=0",
            "E1120 15:42:15.000000       1 evictions.go:549] \"Error evicting pod\" err=\"limit\" limit=0"
                    + " namespace=\"bench\" pod=\"bench/even-1-a\"");

    private static final Instant BEFORE = Instant.parse("2026-11-20T15:42:00Z");

    private static Optional<Instant> named(String pod, Instant after) {
        return DeschedulerLog.firstNaming(LINES, "bench", Set.of(pod, "another"), after);
    }

    @Test
    void theFirstLineThatNamesThePodCounts() {
        assertThat(named("even-1-a", BEFORE)).contains(Instant.parse("2026-11-20T15:42:10.123456Z"));
        assertThat(named("plain-1-a", BEFORE)).contains(Instant.parse("2026-11-20T15:42:10.200Z"));
    }

    @Test
    void whatWasSaidBeforeDoesNotCount() {
        assertThat(named("even-1-a", Instant.parse("2026-11-20T15:42:11Z")))
                .contains(Instant.parse("2026-11-20T15:42:15Z"));
        assertThat(named("apart-1-a", Instant.parse("2026-11-20T15:42:11Z"))).isEmpty();
    }

    @Test
    void aPodOfAnotherNameOrNamespaceIsAnother() {
        assertThat(named("even-1", BEFORE)).isEmpty();
        assertThat(DeschedulerLog.firstNaming(LINES, "shop", Set.of("even-1-a"), BEFORE))
                .isEmpty();
    }

    @Test
    void theNodesAtWhichALimitStoppedItAreKnown() {
        assertThat(DeschedulerLog.stoppedAt(List.of(
                        "I1121 19:07:56.000300   32163 node_affinity.go:143] \"Evicting pod\""
                                + " plugin=\"RemovePodsViolatingNodeAffinity\" pod=\"bench/ssd-1\" node=\"n3\"",
                        "E1121 19:07:56.000418   32163 evictions.go:534] \"Error evicting pod\""
                                + " err=\"maximum number of evicted pods per node reached\" limit=0 node=\"n1\"",
                        "E1121 19:07:56.035394   32163 evictions.go:534] \"Error evicting pod\""
                                + " err=\"maximum number of evicted pods per node reached\" limit=0 node=\"n2\"")))
                .containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    void cyclesAreCounted() {
        assertThat(DeschedulerLog.cycles(LINES)).isEqualTo(2);
    }
}

package dev.holdfast.policies.plan.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests how many moves may be in flight after successes, failures and plans. */
class SlowStartTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final SlowStart slowStart = new SlowStart(new ChangeCounter(), Tenancy.BY_NAMESPACE);

    private void succeed(int moves) {
        IntStream.range(0, moves).forEach(_ -> slowStart.succeeded("a", NOW));
    }

    @Test
    void twoAreAllowedAtFirst() {
        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void eachSuccessAllowsOneMore() {
        slowStart.succeeded("a", NOW);
        slowStart.succeeded("a", NOW);

        assertThat(slowStart.allowed(NOW)).isEqualTo(4);
    }

    @Test
    void aFailureLeavesOneInItsNamespaceAndTakesOneFromTheCluster() {
        succeed(3);
        slowStart.failed("a", NOW);

        assertThat(slowStart.allowedIn("a", NOW)).isEqualTo(1);
        assertThat(slowStart.allowedIn("b", NOW)).isEqualTo(2);
        assertThat(slowStart.allowed(NOW)).isEqualTo(4);
    }

    @Test
    void howeverManyFailuresOfOneNamespaceLeaveTwoInTheCluster() {
        succeed(3);
        IntStream.range(0, 10).forEach(_ -> slowStart.failed("a", NOW));

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void failuresInARowOfTwoNamespacesLeaveOneInTheCluster() {
        slowStart.failed("a", NOW);
        slowStart.failed("b", NOW);

        assertThat(slowStart.allowed(NOW)).isEqualTo(1);
    }

    @Test
    void aSuccessOfAnyNamespaceBetweenTwoFailuresEndsTheRow() {
        slowStart.failed("a", NOW);
        slowStart.succeeded("c", NOW);
        slowStart.failed("b", NOW);

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void failuresMoreThanADayApartAreNotInARow() {
        slowStart.failed("a", NOW.minus(Duration.ofDays(1)).minusSeconds(1));
        slowStart.failed("b", NOW);

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void aFailureIsForgottenAfterADay() {
        slowStart.failed("a", NOW);
        slowStart.forgetOld(_ -> false, NOW.plus(Duration.ofDays(1)));
        assertThat(slowStart.allowedIn("a", NOW)).isEqualTo(1);

        slowStart.forgetOld(_ -> false, NOW.plus(Duration.ofDays(1)).plusSeconds(1));

        assertThat(slowStart.allowedIn("a", NOW)).isEqualTo(2);
        assertThat(slowStart.size()).isZero();
    }

    @Test
    void aFailureIsRememberedWhileABreakerHoldsItsNamespace() {
        slowStart.failed("a", NOW);

        slowStart.forgetOld("a"::equals, NOW.plus(Duration.ofDays(9)));

        assertThat(slowStart.allowedIn("a", NOW)).isEqualTo(1);
    }

    static Stream<Arguments> others() {
        return Stream.of(
                other("nothing is in flight", Map.of(), true),
                other("one of two that are allowed is in flight", Map.of("b", 1), true),
                other("another namespace has both moves", Map.of("b", 2), true),
                other("the own namespace has both moves", Map.of("a", 2), false),
                other("two other namespaces have one move each", Map.of("b", 1, "c", 1), false),
                other("both namespaces have one move each", Map.of("a", 1, "b", 1), false),
                other("the one more is in flight already", Map.of("b", 2, "c", 1), false));
    }

    private static Arguments other(String name, Map<String, Integer> inFlight, boolean allows) {
        return argumentSet(name, inFlight, allows);
    }

    @ParameterizedTest
    @MethodSource("others")
    void oneNamespaceDoesNotTakeAllMovesOfTheCluster(Map<String, Integer> inFlight, boolean allows) {
        assertThat(slowStart.clusterAllows("a", inFlight, NOW)).isEqualTo(allows);
    }

    static Stream<Arguments> afterTwoFailures() {
        return Stream.of(
                other("a namespace that failed has the only move", Map.of("c", 1), true),
                other("a namespace that never failed has the only move", Map.of("b", 1), false));
    }

    @ParameterizedTest
    @MethodSource("afterTwoFailures")
    void theMoveOfANamespaceThatFailedDoesNotHoldUpAnother(Map<String, Integer> inFlight, boolean allows) {
        slowStart.failed("c", NOW);
        slowStart.failed("d", NOW);

        assertThat(slowStart.clusterAllows("a", inFlight, NOW)).isEqualTo(allows);
    }

    /** Namespaces whose names begin with the same letter are of one tenant, and three tenants are independent. */
    private static final Tenancy BY_LETTER = new Tenancy() {
        @Override
        public String tenantOf(String namespace) {
            return namespace.substring(0, 1);
        }

        @Override
        public boolean areIndependent(Collection<String> namespaces) {
            return namespaces.stream().map(this::tenantOf).distinct().count() >= 3;
        }
    };

    static Stream<Arguments> failures() {
        return Stream.of(
                argumentSet("four namespaces of one tenant", List.of("a1", "a2", "a3", "a4"), 2),
                argumentSet("two namespaces of two tenants", List.of("a1", "b1"), 1));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failuresInARowLeaveOneInTheClusterOnlyIfTheyAreOfTwoTenants(List<String> failed, int allowed) {
        SlowStart ofTenants = new SlowStart(new ChangeCounter(), BY_LETTER);
        failed.forEach(namespace -> ofTenants.failed(namespace, NOW));

        assertThat(ofTenants.allowed(NOW)).isEqualTo(allowed);
    }

    static Stream<Arguments> tenants() {
        return Stream.of(
                other("two namespaces of one tenant, both of which failed", Map.of("b1", 1, "b2", 1), true),
                other("and one more move in flight already", Map.of("b1", 1, "b2", 1, "c1", 1), false),
                other("one of the own tenant failed too", Map.of("b1", 1, "a2", 1), false),
                other("three independent tenants", Map.of("b1", 2, "c1", 2, "d1", 2), false));
    }

    @ParameterizedTest
    @MethodSource("tenants")
    void oneTenantWithManyNamespacesDoesNotHoldUpAnother(Map<String, Integer> inFlight, boolean allows) {
        SlowStart ofTenants = new SlowStart(new ChangeCounter(), BY_LETTER);
        List.of("b1", "b2", "a2").forEach(namespace -> ofTenants.failed(namespace, NOW));

        assertThat(ofTenants.clusterAllows("a1", inFlight, NOW)).isEqualTo(allows);
    }

    @Test
    void whetherTheOthersAreIndependentIsAskedOnlyIfTheyUseUpTheMovesOfTheCluster() {
        Tenancy costly = new Tenancy() {
            @Override
            public String tenantOf(String namespace) {
                return namespace;
            }

            @Override
            public boolean areIndependent(Collection<String> namespaces) {
                throw new AssertionError("counts all namespaces for " + namespaces);
            }
        };

        assertThat(new SlowStart(new ChangeCounter(), costly).clusterAllows("a", Map.of("b", 2, "c", 1), NOW))
                .isFalse();
    }

    @Test
    void afterAPlanOneMoreThanAreInFlightIsAllowed() {
        succeed(8);

        slowStart.endPlan(Map.of("a", 6));

        assertThat(slowStart.allowed(NOW)).isEqualTo(7);
    }

    @Test
    void aPlanThatMovesOnePodLeavesTwo() {
        succeed(8);

        slowStart.endPlan(Map.of("a", 1));

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void afterAFailureOneIsAllowedUntilASuccessHoweverManyAreInFlight() {
        slowStart.failed("a", NOW);

        slowStart.endPlan(Map.of("a", 3));

        assertThat(slowStart.allowedIn("a", NOW)).isEqualTo(1);
    }

    @Test
    void twentyMinutesAfterTheLastSuccessTwoAreAllowedHoweverManyAreInFlight() {
        succeed(8);

        slowStart.endPlan(Map.of("a", 10));

        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)).minusSeconds(1)))
                .isEqualTo(10);
        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)))).isEqualTo(2);
    }

    @Test
    void tenReplacementsThatAreLateTogetherAllowTwo() {
        slowStart.failed("a", NOW);

        IntStream.range(0, 10).forEach(_ -> slowStart.rescued("a"));

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
        assertThat(slowStart.allowedIn("a", NOW)).isEqualTo(2);
    }
}

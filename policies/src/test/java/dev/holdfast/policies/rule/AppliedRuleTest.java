package dev.holdfast.policies.rule;

import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AppliedRuleTest {
    private static final Rule SSD = nodeSelectorRule("disk", "ssd");

    static Stream<Arguments> requests() {
        AppliedRule.Request wanted = request(Mode.ENFORCE, WhenRequired.POSSIBLE_AT_SCHEDULING);
        AppliedRule.Request required = request(Mode.ENFORCE, WhenRequired.ALWAYS);
        AppliedRule.Request audited = request(Mode.AUDIT, WhenRequired.ALWAYS);
        return Stream.of(
                argumentSet("one policy wants the rule", List.of(wanted), true),
                argumentSet("one policy always requires the rule", List.of(required), false),
                argumentSet("of two policies, one always requires it", List.of(wanted, required), false),
                argumentSet("a policy that always requires it only audits it", List.of(wanted, audited), true),
                argumentSet("such a policy injects it", List.of(wanted, injected(audited)), false),
                argumentSet("the pod's own spec has it", List.of(wanted, ofPodSpec(audited)), false));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRuleIsRequiredWherePossibleIfNothingRequiresItAlways(List<AppliedRule.Request> requests, boolean possible) {
        assertThat(new AppliedRule(SSD, SSD.identity(), requests).isRequiredWherePossible())
                .isEqualTo(possible);
    }

    private static AppliedRule.Request request(Mode mode, WhenRequired whenRequired) {
        return new AppliedRule.Request(
                PolicyId.cluster(mode + "-" + whenRequired),
                "ssd",
                new Enforcement(
                        mode,
                        Duration.ofMinutes(5),
                        WhenInfeasible.WAIT,
                        WhenDomainAdded.HOLD,
                        VictimChoice.RULE_OWNER,
                        whenRequired),
                RuleSource.POLICY,
                false);
    }

    private static AppliedRule.Request injected(AppliedRule.Request request) {
        return new AppliedRule.Request(
                request.policy(), request.name(), request.enforcement(), RuleSource.POLICY, true);
    }

    private static AppliedRule.Request ofPodSpec(AppliedRule.Request request) {
        return new AppliedRule.Request(
                request.policy(), request.name(), request.enforcement(), RuleSource.POD_SPEC, false);
    }
}

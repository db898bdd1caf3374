package dev.holdfast.policies.index.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MatchedRulesTest {
    private static final int MANY = 1000;

    @Test
    void rulesThatMatchComeAndLeaveInAnyOrderFewOrMany() {
        MatchedRules<Object> matchedRules = new MatchedRules<>();
        List<Object> rules = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            rules.add(new Object());
        }
        rules.forEach(matchedRules::add);
        Collections.shuffle(rules, new Random(7));
        while (!rules.isEmpty()) {
            Object gone = rules.removeLast();
            matchedRules.remove(gone);
            assertThat(matchedRules.has(gone)).isFalse();
            if (rules.size() % 100 < 10) {
                List<Object> left = new ArrayList<>();
                matchedRules.forEach(left::add);
                assertThat(left).containsExactlyInAnyOrderElementsOf(rules);
                assertThat(rules).allMatch(matchedRules::has);
            }
        }
    }
}

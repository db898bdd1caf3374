package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.plan.move.EvictionAnswer;
import org.junit.jupiter.api.Test;

class EvictionAnswerLabelTest {
    @Test
    void everyAnswerHasANameOfItsOwn() {
        assertThat(AnswerWords.ALL)
                .extracting(Object::getClass)
                .containsExactlyInAnyOrder(EvictionAnswer.class.getPermittedSubclasses());
        assertThat(AnswerWords.ALL)
                .extracting(EvictionAnswerLabel::label)
                .containsExactlyInAnyOrderElementsOf(EvictionAnswerLabel.ALL);
    }

    @Test
    void whatTheApiServerSaidIsKept() {
        assertThat(AnswerWords.ALL)
                .extracting(EvictionAnswer::message)
                .containsExactly(
                        "",
                        "",
                        "changed",
                        "none left",
                        "two",
                        "",
                        "no",
                        "cannot",
                        "may not",
                        "",
                        "internal error",
                        "timed out",
                        "not leading");
    }
}

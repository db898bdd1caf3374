package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTextTest {
    private static final Labels WEB = Labels.of(Map.of("app", "web", "zone", "a"));
    private static final Labels BATCH = Labels.of(Map.of("app", "batch", "canary", ""));
    private static final Labels BARE = Labels.none();

    static Stream<Arguments> selectors() {
        return Stream.of(
                argumentSet("nothing selects everything", "", List.of(WEB, BATCH, BARE)),
                argumentSet("a value", "app=web", List.of(WEB)),
                argumentSet("a value, with two signs and spaces", " app == web ", List.of(WEB)),
                argumentSet("an empty value", "canary=", List.of(BATCH)),
                argumentSet("another value, or none", "app!=web", List.of(BATCH, BARE)),
                argumentSet("one of several values", "app in (web, batch)", List.of(WEB, BATCH)),
                argumentSet("none of several values", "app notin (web,db)", List.of(BATCH, BARE)),
                argumentSet("a key", "zone", List.of(WEB)),
                argumentSet("a missing key", "!canary", List.of(WEB, BARE)),
                argumentSet("several parts", "app in (web,batch),!canary,zone=a", List.of(WEB)));
    }

    @ParameterizedTest
    @MethodSource("selectors")
    void aSelectorSelects(String text, List<Labels> selected) {
        LabelMatcher matcher = ((ParseResult.Usable<LabelMatcher>) SelectorText.parse(text)).value();

        assertThat(Stream.of(WEB, BATCH, BARE).filter(matcher::matches).toList())
                .isEqualTo(selected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"app=web,,zone", "=web", "app in web", "app in (web", "a b", "app=we b", "-app", "app=-"})
    void whatIsNoSelectorIsRefused(String text) {
        assertThat(SelectorText.parse(text)).isInstanceOf(ParseResult.Unusable.class);
    }
}

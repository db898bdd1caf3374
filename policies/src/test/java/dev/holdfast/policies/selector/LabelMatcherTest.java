package dev.holdfast.policies.selector;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.selector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LabelMatcherTest {
    private static final ParseResult<Boolean> MATCHES = new ParseResult.Usable<>(true);
    private static final ParseResult<Boolean> DIFFERS = new ParseResult.Usable<>(false);

    record Row(String name, Optional<LabelSelector> selector, Labels labels, ParseResult<Boolean> expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        new Row("PA-1: an absent selector matches no labels", Optional.empty(), web("front"), DIFFERS),
                        new Row(
                                "PA-1: an absent selector does not match an object without labels either",
                                Optional.empty(),
                                Labels.none(),
                                DIFFERS),
                        row("unread labels: {} matches them", selector(), Labels.unread(), MATCHES),
                        row(
                                "unread labels: a label may be missing",
                                matchLabels("app", "web"),
                                Labels.unread(),
                                DIFFERS),
                        row(
                                "unread labels: NotIn may find one of its values",
                                selector(expression("app", "NotIn", "web")),
                                Labels.unread(),
                                DIFFERS),
                        row(
                                "unread labels: DoesNotExist may find its key",
                                selector(expression("app", "DoesNotExist")),
                                Labels.unread(),
                                DIFFERS),
                        row("PA-1: {} matches any labels", selector(), web("front"), MATCHES),
                        row("PA-1: {} matches an object without labels", selector(), Labels.none(), MATCHES),
                        row(
                                "PA-1: matchLabels match when all pairs are there",
                                matchLabels("app", "web", "tier", "front"),
                                web("front"),
                                MATCHES),
                        row(
                                "PA-1: matchLabels are ANDed: one pair of two is not enough",
                                matchLabels("app", "web", "tier", "front"),
                                web("back"),
                                DIFFERS),
                        row(
                                "PA-1: matchLabels with an empty value need the key with an empty value",
                                matchLabels("tier", ""),
                                web(""),
                                MATCHES),
                        row(
                                "PA-1: matchLabels with an empty value do not match an absent key",
                                matchLabels("tier", ""),
                                Labels.of("app", "web"),
                                DIFFERS),
                        row(
                                "PA-1: matchLabels and matchExpressions are ANDed: the labels alone are not enough",
                                app("web").and(expression("tier", "In", "back")),
                                web("front"),
                                DIFFERS),
                        row(
                                "PA-1: matchLabels and matchExpressions are ANDed: the expressions alone are not"
                                        + " enough",
                                app("db").and(expression("tier", "In", "front")),
                                web("front"),
                                DIFFERS),
                        row(
                                "PA-1: matchLabels and matchExpressions match together",
                                app("web").and(expression("tier", "In", "back", "front")),
                                web("front"),
                                MATCHES),
                        row(
                                "PA-1: two expressions over one key are ANDed: In [front back] and NotIn [front] leave"
                                        + " back",
                                selector(
                                        expression("tier", "In", "front", "back"),
                                        expression("tier", "NotIn", "front")),
                                web("back"),
                                MATCHES),
                        row(
                                "PA-1: two expressions over one key are ANDed: front is in the first and not in the"
                                        + " second",
                                selector(
                                        expression("tier", "In", "front", "back"),
                                        expression("tier", "NotIn", "front")),
                                web("front"),
                                DIFFERS),
                        row("PA-1: In matches a listed value", tier("In", "back", "front"), web("front"), MATCHES),
                        row("PA-1: In does not match another value", tier("In", "back", "mid"), web("front"), DIFFERS),
                        row("PA-1: In does not match part of a value", tier("In", "fro"), web("front"), DIFFERS),
                        row("PA-1: In is case-sensitive", tier("In", "Front"), web("front"), DIFFERS),
                        row("PA-1: In does not match an absent key", tier("In", "front"), Labels.none(), DIFFERS),
                        row("PA-1: In matches a listed empty value", tier("In", ""), web(""), MATCHES),
                        row(
                                "PA-1: In with an empty value does not match an absent key",
                                tier("In", ""),
                                Labels.none(),
                                DIFFERS),
                        row("PA-1: NotIn matches an absent key", tier("NotIn", "front"), Labels.none(), MATCHES),
                        row("PA-1: NotIn matches another value", tier("NotIn", "back"), web("front"), MATCHES),
                        row("PA-1: NotIn matches an empty value", tier("NotIn", "back"), web(""), MATCHES),
                        row(
                                "PA-1: NotIn does not match a listed value",
                                tier("NotIn", "back", "front"),
                                web("front"),
                                DIFFERS),
                        row("PA-1: Exists matches any value", tier("Exists"), web("front"), MATCHES),
                        row("PA-1: Exists matches an empty value", tier("Exists"), web(""), MATCHES),
                        row(
                                "PA-1: Exists does not match an absent key",
                                tier("Exists"),
                                Labels.of("app", "web"),
                                DIFFERS),
                        row(
                                "PA-1: DoesNotExist matches an absent key",
                                tier("DoesNotExist"),
                                Labels.of("app", "web"),
                                MATCHES),
                        row("PA-1: DoesNotExist does not match a value", tier("DoesNotExist"), web("front"), DIFFERS),
                        row("PA-1: DoesNotExist does not match an empty value", tier("DoesNotExist"), web(""), DIFFERS),
                        unusable(
                                "PA-1: Gt is no operator of a label selector",
                                selector(expression("cores", "Gt", "4")),
                                "'cores Gt [4]': `operator` must be In, NotIn, Exists or DoesNotExist"),
                        unusable(
                                "PA-1: Lt is no operator of a label selector",
                                selector(expression("cores", "Lt", "4")),
                                "'cores Lt [4]': `operator` must be In, NotIn, Exists or DoesNotExist"),
                        unusable(
                                "PA-8: operators are case-sensitive",
                                tier("in", "front"),
                                "'tier in [front]': `operator` must be In, NotIn, Exists or DoesNotExist"),
                        unusable("PA-8: In needs values", tier("In"), "'tier In': `values` must not be empty"),
                        unusable("PA-8: NotIn needs values", tier("NotIn"), "'tier NotIn': `values` must not be empty"),
                        unusable(
                                "PA-8: Exists takes no values",
                                tier("Exists", "front"),
                                "'tier Exists [front]': `values` must be empty"),
                        unusable(
                                "PA-8: DoesNotExist takes no values",
                                tier("DoesNotExist", "front"),
                                "'tier DoesNotExist [front]': `values` must be empty"),
                        unusable(
                                "PA-8: a key must be a label key",
                                selector(expression("no key", "Exists")),
                                "'no key Exists': `key` must be a label key"),
                        unusable(
                                "PA-8: a value must be a label value",
                                tier("In", "front", "-5"),
                                "'tier In [front, -5]': '-5' must be a label value"),
                        unusable(
                                "PA-8: matchLabels are held to the syntax of labels too",
                                matchLabels("tier", "no value"),
                                "'tier In [no value]': 'no value' must be a label value"),
                        unusable(
                                "PA-8: one part that cannot be read spoils the whole selector, whatever else matches",
                                app("web").and(expression("tier", "Near", "front")),
                                "'tier Near [front]': `operator` must be In, NotIn, Exists or DoesNotExist"))
                .map(Row::arguments);
    }

    private static Row row(String name, LabelSelector selector, Labels labels, ParseResult<Boolean> expected) {
        return new Row(name, Optional.of(selector), labels, expected);
    }

    private static Row unusable(String name, LabelSelector selector, String why) {
        return row(name, selector, web("front"), new ParseResult.Unusable<>(why));
    }

    private static LabelSelector tier(String operator, String... values) {
        return selector(expression("tier", operator, values));
    }

    private static Labels web(String tier) {
        return Labels.of("app", "web", "tier", tier);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void matches(Row row) {
        assertThat(match(row)).as(row.name()).isEqualTo(row.expected());
    }

    private static ParseResult<Boolean> match(Row row) {
        return switch (LabelMatcher.of(row.selector())) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) ->
                new ParseResult.Usable<>(matcher.matches(row.labels()));
            case ParseResult.Unusable<LabelMatcher>(String why) -> new ParseResult.Unusable<>(why);
        };
    }

    @Test
    void onlyAnAbsentSelectorIsKnownToMatchNothingAndOnlyTheEmptyOneEverything() {
        LabelMatcher absent = LabelMatcher.nothing();
        assertThat(absent.matches(Labels.none())).isFalse();
        assertThat(absent.matchesNothing()).isTrue();
        assertThat(absent.matchesEverything()).isFalse();
        LabelMatcher empty = matcher(selector());
        assertThat(empty.matchesNothing()).isFalse();
        assertThat(empty.matchesEverything()).isTrue();
        LabelMatcher never = matcher(selector(expression("a", "Exists"), expression("a", "DoesNotExist")));
        assertThat(never.matchesNothing()).isFalse();
        assertThat(never.matchesEverything()).isFalse();
    }

    @Test
    void aSelectorIsFiledUnderTheLabelThatFewestObjectsAreLikelyToHave() {
        assertThat(anchors(expression("tier", "Exists"), expression("app", "In", "a", "b")))
                .containsExactly("app=a", "app=b");
        assertThat(anchors(expression("app", "In", "a", "b"), expression("tier", "Exists")))
                .containsExactly("app=a", "app=b");
        assertThat(anchors(expression("part-of", "In", "shop"), expression("hash", "In", "h1")))
                .as("of two alike the later, where label keys are merged in")
                .containsExactly("hash=h1");
        assertThat(anchors(expression("app", "NotIn", "a"), expression("tier", "Exists")))
                .containsExactly("tier");
        assertThat(anchors(expression("app", "NotIn", "a"))).isEmpty();
    }

    @Test
    void aSelectorWithMoreThanFourValuesIsFiledUnderTheirKey() {
        String[] values = IntStream.range(0, 5).mapToObj(i -> "v" + i).toArray(String[]::new);
        assertThat(anchors(expression("app", "In", Arrays.copyOf(values, 4)))).hasSize(4);
        assertThat(anchors(expression("app", "In", values))).containsExactly("app");
    }

    @Test
    void aSelectorReadsTheKeysOfItsExpressionsAndNoOther() {
        LabelMatcher matcher = matcher(selector(expression("app", "In", "a"), expression("tier", "DoesNotExist")));
        assertThat(matcher.keys()).containsExactly("app", "tier");
        assertThat(matcher.reads("app")).isTrue();
        assertThat(matcher.reads("tier")).isTrue();
        assertThat(matcher.reads("zone")).isFalse();
    }

    private static List<String> anchors(Requirement... expressions) {
        return matcher(selector(expressions)).anchors(List.of()).stream()
                .map(anchor ->
                        anchor.key() + anchor.value().map(value -> "=" + value).orElse(""))
                .toList();
    }
}

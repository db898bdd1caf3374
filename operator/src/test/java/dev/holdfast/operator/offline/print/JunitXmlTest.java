package dev.holdfast.operator.offline.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.print.JunitXml.Case;
import dev.holdfast.operator.offline.print.JunitXml.Outcome;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

class JunitXmlTest {
    @Test
    void everyOutcomeHasItsElementAndItsCount() {
        JunitXml results = new JunitXml(
                "holdfast",
                List.of(
                        new Case("shop", "web-1", new Outcome.Passed()),
                        new Case("shop", "web-2", new Outcome.Failed("moved", "expected: n1\n  actual: n2\n")),
                        new Case("shop", "web-3", new Outcome.Failed("moved", "")),
                        new Case("shop", "web-4", new Outcome.Errored("no node n3", "")),
                        new Case("shop", "web-5", new Outcome.Skipped("not asked for"))));

        assertThat(String.join("\n", results.lines())).isEqualTo("""
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="5" failures="2" errors="1" skipped="1">
              <testsuite name="holdfast" tests="5" failures="2" errors="1" skipped="1">
                <testcase classname="shop" name="web-1"/>
                <testcase classname="shop" name="web-2">
                  <failure message="moved">
            expected: n1
              actual: n2
                  </failure>
                </testcase>
                <testcase classname="shop" name="web-3">
                  <failure message="moved"/>
                </testcase>
                <testcase classname="shop" name="web-4">
                  <error message="no node n3"/>
                </testcase>
                <testcase classname="shop" name="web-5">
                  <skipped message="not asked for"/>
                </testcase>
              </testsuite>
            </testsuites>\
            """);
    }

    @Test
    void warningsFollowTheOutcome() {
        JunitXml results = new JunitXml(
                "holdfast",
                List.of(
                        new Case("shop", "web-1", new Outcome.Passed(), List.of("steps[0]: nothing", "a < b")),
                        new Case("shop", "web-2", new Outcome.Failed("moved", "n2"), List.of("steps[1]: nothing"))));

        assertThat(String.join("\n", results.lines())).contains("""
                <testcase classname="shop" name="web-1">
                  <system-err>
            steps[0]: nothing
            a &#60; b
                  </system-err>
                </testcase>
                <testcase classname="shop" name="web-2">
                  <failure message="moved">
            n2
                  </failure>
                  <system-err>
            steps[1]: nothing
                  </system-err>
                </testcase>
            """);
    }

    static Stream<Arguments> hostileTexts() {
        return Stream.of(
                argumentSet("markup stays text", "<b a=\"1\" c='2'>&amp;</b>", "<b a=\"1\" c='2'>&amp;</b>"),
                argumentSet("the end of CDATA stays text", "]]>", "]]>"),
                argumentSet("an escape sequence is shown", "\u001b[31m", "\\u001b[31m"),
                argumentSet("NUL is shown", "a\u0000b", "a\\u0000b"),
                argumentSet("half a pair of surrogates is shown", "a\ud800b", "a\\ud800b"),
                argumentSet("what is no character is shown", "a\uffffb", "a\\uffffb"),
                argumentSet("a change of direction is shown", "a\u202eb", "a\\u202eb"),
                argumentSet("other letters stay", "größe 名 😀", "größe 名 😀"));
    }

    @ParameterizedTest
    @MethodSource("hostileTexts")
    void aParserReadsTheTextAgain(String text, String read) throws Exception {
        JunitXml results = new JunitXml(text, List.of(new Case(text, text, new Outcome.Failed(text, text))));

        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        String.join("\n", results.lines()).getBytes(UTF_8)))
                .getDocumentElement();

        assertThat(only(root, "testsuite").getAttribute("name")).isEqualTo(read);
        assertThat(only(root, "testcase").getAttribute("classname")).isEqualTo(read);
        assertThat(only(root, "testcase").getAttribute("name")).isEqualTo(read);
        assertThat(only(root, "failure").getAttribute("message")).isEqualTo(read);
        assertThat(only(root, "failure").getTextContent().strip()).isEqualTo(read);
        assertThat(results.lines()).allMatch(line -> line.chars().allMatch(letter -> letter >= ' ' && letter <= '~'));
    }

    @Test
    void aLineBreakInAMessageIsShownSoThatTheMessageStaysOneLine() {
        JunitXml results = new JunitXml("s", List.of(new Case("c", "n", new Outcome.Skipped("a\nb"))));

        assertThat(results.lines()).contains("      <skipped message=\"a\\u000ab\"/>");
    }

    private static Element only(Element root, String name) {
        assertThat(root.getElementsByTagName(name).getLength()).isEqualTo(1);
        return (Element) root.getElementsByTagName(name).item(0);
    }
}

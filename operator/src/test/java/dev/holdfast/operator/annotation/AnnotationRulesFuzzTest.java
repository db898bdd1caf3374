package dev.holdfast.operator.annotation;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.decode.ForeignBytes;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz test of the annotation with a pod's rules. */
class AnnotationRulesFuzzTest {
    /** No text is an exception: the rules or the reason why they are refused is the value. */
    private static final class None extends Exception {
        private static final long serialVersionUID = 1L;
    }

    @MethodSource("texts")
    @FuzzTest
    void anAnnotationIsReadTheSameTwice(byte[] input) {
        ForeignBytes.isReadAlike(None.class, input, AnnotationRulesFuzzTest::rules, AnnotationRulesFuzzTest::rules);
    }

    private static Object rules(byte[] bytes) {
        return AnnotationRulesParser.parse(new String(bytes, StandardCharsets.UTF_8));
    }

    static Stream<byte[]> texts() {
        return Stream.of("\"replace\": true, \"rules\": []", """
            "rules": [{"name": "ssd", "nodeAffinity": {"required": {"nodeSelectorTerms": [
              {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}]}}}]\
            """, """
            "rules": [{"name": "apart", "podAntiAffinity": {"required": [
              {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}]}}]\
            """)
                .map(fields -> "{\"apiVersion\": \"holdfast.dev/v1alpha1\", " + fields + "}")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.holdfast.operator.offline.dump;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.dump.selectors.ReadSelectors;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** By which labels Services and controllers of a dump select pods. */
class ReadSelectorsTest {
    private static final Labels WEB = Labels.of(Map.of("app", "web"));

    private static ReadSelectors selectors(String text) throws DumpException {
        return new DumpReader(_ -> {})
                .read(List.of(new DumpFile("text", () -> new ByteArrayInputStream(text.getBytes(UTF_8)))))
                .selectors();
    }

    static Stream<Arguments> services() {
        return Stream.of(
                argumentSet("a Service", "namespace: shop}, spec: {selector: {app: web}}", List.of(WEB)),
                argumentSet(
                        "a Service of another namespace", "namespace: other}, spec: {selector: {app: web}}", List.of()),
                argumentSet("a Service without a selector", "namespace: shop}, spec: {clusterIP: None}", List.of()),
                argumentSet("a Service without a spec", "namespace: shop}", List.of()));
    }

    @ParameterizedTest
    @MethodSource("services")
    void theLabelsOfServices(String rest, List<Labels> expected) throws DumpException {
        ReadSelectors selectors = selectors("{apiVersion: v1, kind: Service, metadata: {name: web, " + rest + "}");

        assertThat(selectors.ofServicesIn("shop")).containsExactlyElementsOf(expected);
    }

    static Stream<Arguments> controllers() {
        LabelSelector web = new LabelSelector(WEB, List.of());
        LabelSelector tiers =
                new LabelSelector(Labels.none(), List.of(new Requirement("tier", "In", List.of("front", "back"))));
        return Stream.of(
                argumentSet("a ReplicaSet", "apps/v1", "ReplicaSet", "{matchLabels: {app: web}}", Optional.of(web)),
                argumentSet(
                        "a StatefulSet with expressions",
                        "apps/v1",
                        "StatefulSet",
                        "{matchExpressions: [{key: tier, operator: In, values: [front, back]}]}",
                        Optional.of(tiers)),
                argumentSet("a ReplicationController", "v1", "ReplicationController", "{app: web}", Optional.of(web)),
                argumentSet(
                        "a Job, whose selector the scheduler does not read",
                        "batch/v1",
                        "Job",
                        "{matchLabels: {app: web}}",
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("controllers")
    void theSelectorsOfControllers(String apiVersion, String kind, String selector, Optional<LabelSelector> expected)
            throws DumpException {
        ReadSelectors selectors = selectors("{apiVersion: " + apiVersion + ", kind: " + kind
                + ", metadata: {name: web, namespace: shop, uid: u}, spec: {selector: " + selector + "}}");

        assertThat(selectors.ofController("shop", new Controller(kind, "web", "u")))
                .isEqualTo(expected);
        assertThat(selectors.ofController("shop", new Controller(kind, "other", "u")))
                .isEmpty();
        assertThat(selectors.ofController("other", new Controller(kind, "web", "u")))
                .isEmpty();
    }
}

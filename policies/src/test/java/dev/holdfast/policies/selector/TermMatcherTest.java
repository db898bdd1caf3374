package dev.holdfast.policies.selector;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.mismatchLabelKeys;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Demands.termOfNoPod;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Matching of affinity terms. The rule owner of every term is a pod in namespace shop. */
class TermMatcherTest {
    /**
     * One row: a term and a pod that may match it.
     *
     * @param asOwn whether the term matches the pod if the term is the evaluated pod's
     * @param asOther whether the term matches the pod if the pod is evaluated and the term is another pod's
     */
    record Row(String name, PodAffinityTerm term, ClusterBuilder namespaces, Pod pod, boolean asOwn, boolean asOther) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        row("PA-1: a term without selector matches no pod", termOfNoPod(ZONE), web(), false),
                        row("PA-1: {} matches every pod of the namespace", term(selector(), ZONE), pod("p"), true),
                        row(
                                "PA-1: {} matches no pod of another namespace",
                                term(selector(), ZONE),
                                webIn("bank"),
                                false),
                        row("PA-1: the selector must match", term(app("db"), ZONE), web(), false),
                        row("PA-2: the owner's own namespace", term(app("web"), ZONE), web(), true),
                        row("PA-2: no other namespace", term(app("web"), ZONE), webIn("bank"), false),
                        row("PA-2: an empty list is no list", term(app("web"), ZONE, namespaces()), web(), true),
                        row("PA-3: a listed namespace", listing("bank"), webIn("bank"), true),
                        row("PA-3: not the own one, unless it is listed", listing("bank"), web(), false),
                        row("PA-3: the own one is listed", listing("bank", "shop"), web(), true),
                        row("PA-3: a name that has no object", listing("ghost"), webIn("ghost"), true),
                        row("PA-4: {} is every namespace", all(), webIn("bank"), true),
                        row("PA-4: {} is a namespace without object too", all(), webIn("ghost"), true),
                        row(
                                "PA-4: {} is every namespace whatever the list says",
                                term(app("web"), ZONE, namespaces("bank"), namespaceSelector(selector())),
                                web(),
                                true),
                        row("PA-4: {} leaves the pods to the labelSelector", all(), pod("p", in("bank")), false),
                        row("PA-5: a namespace whose labels match", blue(), webIn("bank"), true),
                        row("PA-5: a namespace whose labels differ", blue(), webIn("post"), false),
                        row("PA-5: not the own one, unless its labels match", blue(), web(), false),
                        row(
                                "PA-5: the own one, when its labels match",
                                term(app("web"), ZONE, namespaceSelector(matchLabels("team", "red"))),
                                web(),
                                true),
                        row("PA-5: a listed namespace whose labels differ", blueAnd("post"), webIn("post"), true),
                        row("PA-5: a namespace not listed whose labels match", blueAnd("post"), webIn("bank"), true),
                        row("PA-5: neither listed nor with labels that match", blueAnd("post"), web(), false),
                        row(
                                "PA-5: a namespace chosen by its name",
                                term(
                                        app("web"),
                                        ZONE,
                                        namespaceSelector(matchLabels("kubernetes.io/metadata.name", "bank"))),
                                webIn("bank"),
                                true),
                        row("PA-5: NotIn matches a namespace without the label", notBlue(), webIn("post"), true),
                        quirk("PA-6: NotIn and a namespace without object", notBlue(), false, true),
                        quirk(
                                "PA-6: DoesNotExist and a namespace without object",
                                term(app("web"), ZONE, namespaceSelector(selector(expression("team", "DoesNotExist")))),
                                false,
                                true),
                        quirk("PA-6: In and a namespace without object", blue(), false, false),
                        row(
                                "PA-7: label keys that were not merged have no effect",
                                term(app("web"), ZONE, matchLabelKeys("hash"), mismatchLabelKeys("app")),
                                web(),
                                true))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void matches(Row row) {
        TermMatcher matcher = usable(row.term());
        ReferenceCluster referenceCluster = row.namespaces().build();
        assertThat(matcher.matches(row.pod(), referenceCluster))
                .as("%s; as own term", row.name())
                .isEqualTo(row.asOwn());
        assertThat(matcher.matchesEvaluatedPod(row.pod(), referenceCluster))
                .as("%s; as another's term", row.name())
                .isEqualTo(row.asOther());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void candidatesHoldEveryMatchAndNoneBeyondTheNamespacesReachedOrWithOtherLabels(Row row) {
        TermMatcher matcher = usable(row.term());
        Pod stranger = pod("stranger", in(row.pod().namespace()), labels("app", "none"));
        ReferenceCluster referenceCluster = row.namespaces()
                .with(new ClusterEvent.PodChanged(row.pod()))
                .with(new ClusterEvent.PodChanged(stranger))
                .build();
        boolean reached = matcher.reachedNamespaces(referenceCluster)
                        .contains(row.pod().namespace())
                || row.term().namespaceSelector().filter(LabelSelector::isEmpty).isPresent();
        assertThat(matcher.podsMatchingLabels(referenceCluster))
                .containsExactlyElementsOf(Stream.of(row.pod(), stranger)
                        .filter(pod -> reached && matcher.pods().matches(pod.labels()))
                        .toList());
        assertThat(row.asOwn()).isIn(false, reached);
    }

    static Stream<Arguments> reached() {
        return Stream.of(
                argumentSet("the own namespace", term(app("web"), ZONE), List.of("shop")),
                argumentSet(
                        "the listed ones, in order, known or not", listing("ghost", "bank"), List.of("bank", "ghost")),
                argumentSet("the selected ones", blue(), List.of("bank")),
                argumentSet("the listed and the selected", blueAnd("ghost"), List.of("bank", "ghost")),
                argumentSet("with {} all that are known", all(), List.of("bank", "post", "shop")));
    }

    @ParameterizedTest
    @MethodSource("reached")
    void reachedNamespaces(PodAffinityTerm term, List<String> expected) {
        assertThat(usable(term).reachedNamespaces(namespaced().build())).containsExactlyElementsOf(expected);
    }

    static Stream<Arguments> askedFor() {
        return Stream.of(
                argumentSet("its owner's own", term(app("web"), ZONE), "shop", true),
                argumentSet("no other", term(app("web"), ZONE), "bank", false),
                argumentSet("one listed by name", listing("bank"), "bank", true),
                argumentSet("one selected by its labels", blue(), "bank", true),
                argumentSet("not one whose labels differ", blue(), "post", false),
                argumentSet("not one without object", notBlue(), "ghost", false),
                argumentSet("not one that only {} reaches", all(), "bank", false),
                argumentSet("not even its owner's own, when only {} reaches it", all(), "shop", false),
                argumentSet(
                        "one listed beside {}",
                        term(app("web"), ZONE, namespaces("bank"), namespaceSelector(selector())),
                        "bank",
                        true));
    }

    @ParameterizedTest
    @MethodSource("askedFor")
    void asksFor(PodAffinityTerm term, String namespace, boolean expected) {
        assertThat(usable(term).selectsExplicitly(namespace, namespaced().build()))
                .isEqualTo(expected);
    }

    static Stream<Arguments> follows() {
        return Stream.of(
                argumentSet("D-12: a selector of namespaces follows their labels", blue(), true),
                argumentSet("D-12: a list does not", listing("bank"), false),
                argumentSet("D-12: {} does not, since it matches whatever they are", all(), false),
                argumentSet("D-12: the own namespace does not", term(app("web"), ZONE), false));
    }

    @ParameterizedTest
    @MethodSource("follows")
    void followsNamespaceLabels(PodAffinityTerm term, boolean expected) {
        assertThat(usable(term).followsNamespaceLabels()).isEqualTo(expected);
    }

    static Stream<Arguments> unusableTerms() {
        return Stream.of(
                argumentSet(
                        "PA-8: a labelSelector that cannot be read",
                        term(selector(expression("app", "Gt", "1")), ZONE),
                        "`labelSelector` 'app Gt [1]': `operator` must be In, NotIn, Exists or DoesNotExist"),
                argumentSet(
                        "PA-8: a namespaceSelector that cannot be read",
                        term(app("web"), ZONE, namespaceSelector(selector(expression("team", "In")))),
                        "`namespaceSelector` 'team In': `values` must not be empty"));
    }

    @ParameterizedTest
    @MethodSource("unusableTerms")
    void unusable(PodAffinityTerm term, String why) {
        assertThat(TermMatcher.of(term, "shop")).isEqualTo(new ParseResult.Unusable<>(why));
    }

    private static Row row(String name, PodAffinityTerm term, Pod pod, boolean expected) {
        return new Row(name, term, namespaced(), pod, expected, expected);
    }

    private static Row quirk(String name, PodAffinityTerm term, boolean asOwn, boolean asOther) {
        return new Row(name, term, namespaced(), webIn("ghost"), asOwn, asOther);
    }

    /** {@return a cluster where namespace shop has team red, bank team blue, post no team; ghost has no object} */
    private static ClusterBuilder namespaced() {
        return cluster()
                .namespace("shop", labels("team", "red"))
                .namespace("bank", labels("team", "blue", "kubernetes.io/metadata.name", "bank"))
                .namespace("post", labels());
    }

    private static Pod web() {
        return webIn("shop");
    }

    private static Pod webIn(String namespace) {
        return pod("p", in(namespace), labels("app", "web"));
    }

    private static PodAffinityTerm listing(String... namespaces) {
        return term(app("web"), ZONE, namespaces(namespaces));
    }

    private static PodAffinityTerm all() {
        return term(app("web"), ZONE, namespaceSelector(selector()));
    }

    private static PodAffinityTerm blue() {
        return term(app("web"), ZONE, namespaceSelector(matchLabels("team", "blue")));
    }

    private static PodAffinityTerm notBlue() {
        return term(app("web"), ZONE, namespaceSelector(selector(expression("team", "NotIn", "blue"))));
    }

    private static PodAffinityTerm blueAnd(String namespace) {
        return term(app("web"), ZONE, namespaces(namespace), namespaceSelector(matchLabels("team", "blue")));
    }

    private static TermMatcher usable(PodAffinityTerm term) {
        return switch (TermMatcher.of(term, "shop")) {
            case ParseResult.Usable<TermMatcher>(TermMatcher matcher) -> matcher;
            case ParseResult.Unusable<TermMatcher>(String why) -> throw new AssertionError(why);
        };
    }
}

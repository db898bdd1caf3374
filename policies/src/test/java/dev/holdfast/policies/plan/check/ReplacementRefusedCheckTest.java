package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.model.PodSecurityLevel.BASELINE;
import static dev.holdfast.policies.model.PodSecurityLevel.PRIVILEGED;
import static dev.holdfast.policies.model.PodSecurityLevel.RESTRICTED;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.limitRangeChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.satisfying;
import static dev.holdfast.policies.testing.Templates.replicaSetFrom;
import static dev.holdfast.policies.testing.Templates.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.SubstituteVictim;
import dev.holdfast.policies.plan.move.Disclosure;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ControlsDraft;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the hold of pods whose replacement the API server would refuse. */
class ReplacementRefusedCheckTest {
    private static final String REFUSED = "the API server would refuse the replacement: ";

    private static Arguments row(String name, PodSecurityLevel level, Labels namespace, Optional<String> refusal) {
        return argumentSet(name, level, namespace, refusal.map(REFUSED::concat));
    }

    private static Labels enforcing(String level) {
        return Labels.of(Map.of(PodSecurityLevel.ENFORCE, level));
    }

    private static Optional<String> enforces(String enforced, String level) {
        return Optional.of("the label pod-security.kubernetes.io/enforce of namespace shop enforces " + enforced
                + ", and the pod satisfies " + level + " at most");
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("no label", PRIVILEGED, Labels.none(), Optional.empty()),
                row("privileged is enforced", PRIVILEGED, enforcing("privileged"), Optional.empty()),
                row(
                        "baseline is enforced, and the pod is privileged",
                        PRIVILEGED,
                        enforcing("baseline"),
                        enforces("baseline", "privileged")),
                row(
                        "baseline is enforced, and the pod satisfies it",
                        BASELINE,
                        enforcing("baseline"),
                        Optional.empty()),
                row(
                        "restricted is enforced, and the pod satisfies baseline",
                        BASELINE,
                        enforcing("restricted"),
                        enforces("restricted", "baseline")),
                row(
                        "restricted is enforced, and the pod satisfies it",
                        RESTRICTED,
                        enforcing("restricted"),
                        Optional.empty()),
                row(
                        "a value that is no level, which the API server takes as restricted",
                        BASELINE,
                        enforcing("strict"),
                        enforces("restricted", "baseline")),
                row(
                        "labels that were not read, and a pod that not every level admits",
                        BASELINE,
                        Labels.unread(),
                        Optional.of("namespace shop has more labels than Holdfast reads, so its label"
                                + " pod-security.kubernetes.io/enforce may refuse the pod, and the pod satisfies"
                                + " baseline at most")),
                row(
                        "labels that were not read, and a pod that every level admits",
                        RESTRICTED,
                        Labels.unread(),
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void thePodSecurityLevelOfTheNamespace(PodSecurityLevel level, Labels namespace, Optional<String> message) {
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .with(new ClusterEvent.NamespaceChanged(new Namespace("shop", 1, namespace)))
                .pod("web", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), satisfying(level))
                .build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new ReplacementRefusedCheck(), candidate(view, "web"), situation(view, new Moves()));

        assertThat(hold).isEqualTo(message.map(it -> Hold.untilChange(Reason.REPLACEMENT_REFUSED, it)));
    }

    private static LimitRange.Item item(LimitRange.Type type, Map<String, Long> max, Map<String, Long> defaults) {
        return new LimitRange.Item(type, max, Map.of(), defaults, defaults, Map.of());
    }

    private static Container app(Map<String, Long> requests, Map<String, Long> limits) {
        return new Container("app", Role.APP, requests, limits);
    }

    private static Arguments defaults(String name, LimitRange.Item now, Container template, Optional<String> refusal) {
        return argumentSet(
                name,
                now,
                template,
                Map.of("cpu", 500L),
                NextRequests.SAME,
                refusal.map(it -> REFUSED + "LimitRange r sets a maximum of " + it
                        + "; change the LimitRange or the pod template"));
    }

    /** The pod has the default of then, 500m. */
    static Stream<Arguments> defaultsOfThen() {
        Map<String, Long> none = Map.of();
        Map<String, Long> cpu = Map.of("cpu", 200L);
        LimitRange.Item lowered = item(LimitRange.Type.CONTAINER, cpu, cpu);
        return Stream.of(
                defaults(
                        "the default is gone: the pod has no limit, and needs one",
                        item(LimitRange.Type.POD, Map.of("cpu", 2_000L), none),
                        app(none, none),
                        Optional.of("2 of cpu for each pod, and the pod has no limit")),
                defaults("maximum and default are 200m now", lowered, app(none, none), Optional.empty()),
                defaults(
                        "the template names 500m itself, above the maximum of 200m",
                        lowered,
                        app(none, Map.of("cpu", 500L)),
                        Optional.of("0.2 of cpu for each container, and container app has a limit of 0.5")),
                defaults(
                        "the template does not have the container, so admission adds it as it is",
                        lowered,
                        new Container("proxy", Role.APP, cpu, cpu),
                        Optional.of("0.2 of cpu for each container, and container app has a limit of 0.5")),
                argumentSet(
                        "a pod that may be larger than its template: the template counts",
                        lowered,
                        app(cpu, cpu),
                        Map.of("cpu", 400L),
                        NextRequests.LARGER,
                        Optional.empty()),
                argumentSet(
                        "a pod that was resized: the template counts",
                        lowered,
                        app(none, none),
                        Map.of("cpu", 400L),
                        NextRequests.TEMPLATE,
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("defaultsOfThen")
    void aLimitRangeIsAskedAboutTheTemplateOfAPodWithDefaultsOfThen(
            LimitRange.Item now,
            Container template,
            Map<String, Long> own,
            NextRequests next,
            Optional<String> message) {
        PodRequirements requirements =
                PodRequirements.none().with(List.of(app(own, own))).with(next);

        assertThat(holdUnder(now, template, requirements.withDefaults()))
                .isEqualTo(message.map(it -> Hold.untilChange(Reason.REPLACEMENT_REFUSED, it)));
    }

    @Test
    void withoutTheAnnotationTheAmountsOfThePodAreItsOwn() {
        Map<String, Long> cpu = Map.of("cpu", 200L);
        Map<String, Long> own = Map.of("cpu", 500L);

        Optional<Hold> hold = holdUnder(
                item(LimitRange.Type.CONTAINER, cpu, cpu),
                app(Map.of(), Map.of()),
                PodRequirements.none().with(List.of(app(own, own))));

        assertThat(hold.orElseThrow().message()).contains("container app has a limit of 0.5");
    }

    private static Optional<Hold> holdUnder(LimitRange.Item now, Container template, PodRequirements requirements) {
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .with(limitRangeChanged("r", now))
                .with(replicaSetFrom("web", template(template)))
                .pod(
                        "web",
                        on("n1"),
                        ownedBy("ReplicaSet", "web", "web"),
                        nodeSelector("disk", "ssd"),
                        needing(requirements))
                .build();
        return ShuffledPlanner.hold(
                new ReplacementRefusedCheck(), candidate(view, "web"), situation(view, new Moves()));
    }

    /** The template is that of revision two. A pod of revision one comes from another template, which is not read. */
    @ParameterizedTest
    @ValueSource(strings = {"one", "two"})
    void theTemplateOfAnotherRevisionDoesNotCount(String revision) {
        Map<String, Long> cpu = Map.of("cpu", 200L);
        Map<String, Long> own = Map.of("cpu", 500L);
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .with(limitRangeChanged("r", item(LimitRange.Type.CONTAINER, cpu, cpu)))
                .with(new ClusterEvent.OwnerChanged(new Owner(
                        "web",
                        "StatefulSet",
                        new NamespacedName("shop", "web"),
                        Optional.empty(),
                        OptionalInt.of(1),
                        DisruptionAnnotations.none(),
                        Optional.of(new StatefulSetRevisions(true, false, 1, 0, "one", "two")),
                        PodCreation.atOnce().withTemplate(template(app(Map.of(), Map.of()))))))
                .pod(
                        "web",
                        on("n1"),
                        ownedBy("StatefulSet", "web", "web"),
                        labels(StatefulSetRevisions.LABEL, revision),
                        nodeSelector("disk", "ssd"),
                        needing(PodRequirements.none()
                                .with(List.of(app(own, own)))
                                .withDefaults()))
                .build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new ReplacementRefusedCheck(), candidate(view, "web"), situation(view, new Moves()));

        assertThat(hold.isPresent()).isEqualTo(revision.equals("one"));
    }

    /**
     * The pod of bank would be evicted for a pod of shop. The policy of shop cannot allow that, nor read names of bank.
     */
    @Test
    void theTenantOfTheRuleOwnerLiftsNoHoldAndReadsNoNameOfAnotherNamespace() {
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .with(new ClusterEvent.NamespaceChanged(new Namespace("bank", 1, enforcing("restricted"))))
                .pod("web", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .pod("vault", in("bank"), on("n1"), replicaOf("vault"), satisfying(BASELINE))
                .build();
        Candidate owner = candidate(view, "web");
        DisruptionControls allowing = ControlsDraft.plain()
                .allowed(Set.of(Reason.REPLACEMENT_REFUSED))
                .controls();
        Candidate candidate = SubstituteVictim.first(
                        owner, List.of(owner.withVictim(view.pod("vault").orElseThrow(), List.of(), Optional.empty())))
                .requestedBy(Due.requesting(Due.POLICY, allowing));

        Hold hold = ShuffledPlanner.hold(new ReplacementRefusedCheck(), candidate, situation(view, new Moves()))
                .orElseThrow();

        assertThat(hold.message()).contains("namespace bank");
        assertThat(hold.disclosure())
                .isEqualTo(new Disclosure.Redacted(
                        "the API server would refuse the replacement of a pod of another namespace"));
    }
}

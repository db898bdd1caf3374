package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.Changes.defaultCpuChanged;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.satisfying;
import static dev.holdfast.policies.testing.Templates.app;
import static dev.holdfast.policies.testing.Templates.requesting;
import static dev.holdfast.policies.testing.Templates.template;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.check.QuotaExceededCheck;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Planner and simulation agree about the replacement of each pod, in random clusters of one to three workloads. Pods of
 * DaemonSets and mirror pods are left out: the planner never evicts them.
 */
class ReplacementAgreementTest {
    private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");
    private static final int CLUSTERS = 300;
    private static final List<String> KINDS = List.of(
            "ReplicaSet", "ReplicaSet", "StatefulSet", "StatefulSet", "Job", "ReplicationController", "CloneSet");

    private static ClusterBuilder random(long seed) {
        Random random = new Random(seed);
        ClusterBuilder builder = cluster().node("n1").node("n2");
        List<String> levels = List.of("", "", "", "baseline", "restricted");
        String level = levels.get(random.nextInt(levels.size()));
        if (!level.isEmpty()) {
            builder.namespace(Facts.NAMESPACE, labels(PodSecurityLevel.ENFORCE, level));
        }
        if (random.nextInt(4) == 0) {
            builder.with(
                    quotaChanged("all", random.nextBoolean() ? "pods" : "example.com/gpu", 3, 2 + random.nextInt(3)));
        }
        if (random.nextInt(4) == 0) {
            long milliCpu = 100L * random.nextInt(10);
            builder.with(defaultCpuChanged(milliCpu, milliCpu));
        }
        int workloads = 1 + random.nextInt(3);
        for (int i = 0; i < workloads; i++) {
            workload(builder, "w" + i, KINDS.get(random.nextInt(KINDS.size())), random);
        }
        return builder;
    }

    private static void workload(ClusterBuilder builder, String name, String kind, Random random) {
        boolean watched = !kind.equals("ReplicationController") && !kind.equals("CloneSet");
        boolean bare = random.nextInt(12) == 0;
        if (watched && random.nextInt(10) > 0) {
            builder.with(new ClusterEvent.OwnerChanged(owner(builder, name, kind, random)));
        }
        int pods = 1 + random.nextInt(4);
        for (int i = 0; i < pods; i++) {
            PodTrait controlled = bare ? _ -> {} : ownedBy(kind, name, name);
            PodTrait ready = random.nextInt(4) == 0 ? notReady() : _ -> {};
            builder.pod(
                    name + "-" + i,
                    on("n" + (1 + random.nextInt(2))),
                    controlled,
                    ready,
                    labels(StatefulSetRevisions.LABEL, random.nextBoolean() ? "one" : "two"),
                    satisfying(random.nextInt(3) > 0 ? PodSecurityLevel.RESTRICTED : PodSecurityLevel.PRIVILEGED),
                    requirements(random));
        }
    }

    /** {@return the trait of a pod that requests what its template says, was resized, or requests something else} */
    private static PodTrait requirements(Random random) {
        long milliCpu = random.nextInt(500);
        Resources plain =
                new Resources(milliCpu, 0, 0, 1, random.nextBoolean() ? Map.of("example.com/gpu", 1L) : Map.of());
        return switch (random.nextInt(4)) {
            case 0 ->
                needing(new PodRequirements(plain, plain, List.of(), List.of(), List.of(app(milliCpu))).withDefaults());
            case 1 ->
                requesting(milliCpu, random.nextBoolean() ? NextRequests.TEMPLATE : NextRequests.LARGER, app(milliCpu));
            default -> needing(new PodRequirements(plain, Resources.none(), List.of(), List.of()));
        };
    }

    private static Owner owner(ClusterBuilder builder, String name, String kind, Random random) {
        Optional<Controller> above = Optional.empty();
        if (kind.equals("ReplicaSet") && random.nextBoolean()) {
            above = Optional.of(new Controller("Deployment", name, "deployment-" + name));
            builder.with(new ClusterEvent.OwnerChanged(new Owner(
                    "deployment-" + name,
                    "Deployment",
                    new NamespacedName(Facts.NAMESPACE, name),
                    Optional.empty(),
                    OptionalInt.of(3),
                    DisruptionAnnotations.none(),
                    Optional.empty(),
                    new PodCreation(random.nextInt(4) == 0, false, false))));
        }
        boolean ofStatefulSet = kind.equals("StatefulSet");
        return new Owner(
                name,
                kind,
                new NamespacedName(Facts.NAMESPACE, name),
                above,
                kind.equals("Job") ? OptionalInt.empty() : OptionalInt.of(3),
                DisruptionAnnotations.none(),
                ofStatefulSet
                        ? Optional.of(new StatefulSetRevisions(
                                random.nextInt(5) > 0,
                                random.nextInt(4) == 0,
                                random.nextInt(4),
                                random.nextInt(2),
                                "one",
                                random.nextBoolean() ? "one" : "two"))
                        : Optional.empty(),
                new PodCreation(
                        random.nextInt(6) == 0,
                        kind.equals("Job") && random.nextBoolean(),
                        ofStatefulSet && random.nextBoolean(),
                        kind.equals("ReplicaSet") && random.nextInt(4) == 0
                                ? Optional.of("a webhook is down")
                                : Optional.empty(),
                        random.nextBoolean() ? Optional.of(ofPods(random)) : Optional.empty()));
    }

    /** {@return a template; some have scheduling gates or name a node} */
    private static PodTemplate ofPods(Random random) {
        PodTemplate plain = template(container(random));
        int kind = random.nextInt(8);
        return new PodTemplate(
                plain.scheduling(),
                plain.requirements(),
                kind == 0 ? Optional.of(random.nextBoolean() ? "n2" : "gone") : Optional.empty(),
                kind == 1,
                plain.schedulerName(),
                plain.securityLevel());
    }

    private static Container container(Random random) {
        return random.nextBoolean() ? app(random.nextInt(1_000)) : new Container("app", Role.APP, Map.of(), Map.of());
    }

    /** {@return why the planner expects no pod in place of another one; empty if it expects one} */
    private static Optional<String> expectedNone(Pod victim, ClusterView view) {
        Pod replacement = Replacement.of(victim, view, new ReplicaCounts(view)) instanceof Replacement.Created(Pod made)
                ? made
                : Replacement.podFor(victim, view);
        return Replacement.hold(victim, view, new ReplicaCounts(view))
                // The pod is created. The planner holds the victim, as the template of its revision is not known, or
                // none is.
                .filter(hold -> hold.reason() != Reason.REVISION_PENDING && hold.reason() != Reason.TOO_COMPLEX)
                .map(Hold::message)
                .or(() -> none(Replacement.of(victim, view, new ReplicaCounts(view))))
                .or(() -> QuotaExceededCheck.refusal(replacement, victim, view))
                .or(() -> victim.victimProtection()
                        .controller()
                        .flatMap(it -> view.owner(victim.namespace(), it.uid()))
                        .flatMap(PodAdmission::failure))
                .or(() -> PodAdmission.refusalOfReplacement(replacement, view));
    }

    private static Optional<String> none(Replacement replacement) {
        return switch (replacement) {
            case Replacement.None(Hold hold) -> Optional.of(hold.message());
            case Replacement.Created _ -> Optional.empty();
        };
    }

    @Test
    void aSimulationCreatesExactlyThePodsThatThePlannerExpects() {
        Set<String> seen = new TreeSet<>();
        for (long seed = 0; seed < CLUSTERS; seed++) {
            ClusterBuilder builder = random(seed);
            ClusterView view = builder.build();
            for (Pod victim : view.pods()) {
                Optional<String> none = expectedNone(victim, view);
                compare("seed " + seed + ", pod " + victim.name(), builder, victim, view, none);
                seen.add(none.map(it -> it.replaceAll("\\bw\\d(-\\d)?|\\b[0-9]+\\b|shop/", "")
                                .replaceAll(" +", " "))
                        .orElse("created"));
            }
        }
        assertThat(seen).as("what was seen").hasSizeGreaterThanOrEqualTo(12);
    }

    /** Each pod that comes had room in all quotas, which count it from then on. Each that is missing has none now. */
    @Test
    void aWorkloadThatGrowsGetsThePodsForWhichThePlannerFindsRoomInQuotas() {
        Set<String> seen = new TreeSet<>();
        for (long seed = 0; seed < CLUSTERS; seed++) {
            ClusterBuilder builder = random(seed);
            ClusterView view = builder.build();
            for (Owner owner : view.ownersIn(Facts.NAMESPACE)) {
                Simulation simulation = simulation(builder);
                List<ResourceQuota> quotas = List.copyOf(view.quotasIn(Facts.NAMESPACE));

                simulation.make(new Change.Scale(owner.kind(), owner.name(), 5));

                for (Pod pod : simulation.created()) {
                    assertThat(QuotaExceededCheck.refusal(pod, Optional.empty(), quotas))
                            .as("seed %s, pod %s", seed, pod.name())
                            .isEmpty();
                    quotas = quotas.stream()
                            .map(it -> QuotaExceededCheck.counted(it, Optional.empty(), Optional.of(pod)))
                            .toList();
                    seen.add("created");
                }
                assertThat(simulation.cluster().quotasIn(Facts.NAMESPACE))
                        .as("seed %s", seed)
                        .containsExactlyElementsOf(quotas);
                for (Map.Entry<Pod, String> missing : simulation.missing().entrySet()) {
                    List<ResourceQuota> full = quotas;
                    Optional<String> refusal = PodAdmission.admitted(
                                    Replacement.podFor(missing.getKey(), simulation.cluster()), simulation.cluster())
                            .stream()
                            .flatMap(it -> QuotaExceededCheck.refusal(it, Optional.empty(), full).stream())
                            .findFirst();
                    if (missing.getValue().startsWith("ResourceQuota")) {
                        assertThat(refusal).as("seed %s", seed).contains(missing.getValue());
                        seen.add("refused by a quota");
                    }
                }
            }
        }
        assertThat(seen).as("what was seen").hasSize(2);
    }

    private static Simulation simulation(ClusterBuilder builder) {
        return new Simulation(
                OperatorConfig.defaults().engineSettings(),
                new SimulationInput(builder.facts(), List.of(), List.of()),
                Mode.ENFORCE,
                Assumptions.defaults(),
                START);
    }

    private static void compare(
            String name, ClusterBuilder builder, Pod victim, ClusterView view, Optional<String> none) {
        Simulation simulation = simulation(builder);
        Set<String> before = new TreeSet<>();
        view.pods().forEach(pod -> before.add(pod.uid()));

        assertThat(simulation.make(new Change.DeletePod(victim.name())))
                .as(name)
                .isEmpty();

        List<Pod> created = simulation.cluster().pods().stream()
                .filter(pod -> !before.contains(pod.uid()))
                .toList();
        if (none.isPresent()) {
            assertThat(created).as(name).isEmpty();
            assertThat(simulation.missing().values())
                    .as(name)
                    .containsExactlyElementsOf(
                            victim.victimProtection().controller().isPresent() ? List.of(none.get()) : List.of());
        } else {
            Pod made = ((Replacement.Created) Replacement.of(victim, view, new ReplicaCounts(view))).pod();
            Pod expected = PodAdmission.withDefaults(made, view);
            assertThat(created)
                    .as(name)
                    .singleElement()
                    .satisfies(pod -> assertThat(pod.podRequirements()).isEqualTo(expected.podRequirements()))
                    .satisfies(pod ->
                            assertThat(pod.labels()).isEqualTo(expected.labels().own()))
                    .satisfies(pod -> assertThat(pod.scheduling()).isEqualTo(expected.scheduling()))
                    .satisfies(pod -> assertThat(pod.victimProtection()).isEqualTo(expected.victimProtection()));
            assertThat(simulation.missing()).as(name).isEmpty();
            comparePlaces(name, simulation, view, created.getFirst());
        }
    }

    /** No scheduler places a pod with gates, and none is asked about a pod whose template names a node. */
    private static void comparePlaces(String name, Simulation simulation, ClusterView view, Pod created) {
        Optional<PodTemplate> template = created.victimProtection()
                .controller()
                .flatMap(it -> view.owner(created.namespace(), it.uid()))
                .flatMap(owner -> owner.podCreation().template())
                .filter(it -> it.gated() || it.nodeName().isPresent());
        if (template.isPresent()) {
            simulation.advanceTo(Duration.ofMinutes(5));
            assertThat(simulation.cluster().pod(created.uid()).flatMap(Pod::nodeName))
                    .as(name)
                    .isEqualTo(template.get().nodeName().filter("n2"::equals));
            simulation
                    .cluster()
                    .pod(created.uid())
                    .filter(Waiting::isTrueOf)
                    .ifPresent(pod -> assertThat(simulation.whyWaiting(pod).why())
                            .as(name)
                            .startsWith(
                                    template.get().gated()
                                            ? "it has scheduling gates"
                                            : "the pod template names node gone (spec.nodeName), which does not"));
        }
    }
}

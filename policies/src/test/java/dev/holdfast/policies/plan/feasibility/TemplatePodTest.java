package dev.holdfast.policies.plan.feasibility;

import static dev.holdfast.policies.model.PodSecurityLevel.PRIVILEGED;
import static dev.holdfast.policies.model.PodSecurityLevel.RESTRICTED;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.defaultCpuChanged;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Facts.NAMESPACE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.satisfying;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static dev.holdfast.policies.testing.Templates.app;
import static dev.holdfast.policies.testing.Templates.container;
import static dev.holdfast.policies.testing.Templates.requesting;
import static dev.holdfast.policies.testing.Templates.resizedTo;
import static dev.holdfast.policies.testing.Templates.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the pod that the controller makes from its template must fit on the target, and not the pod that is
 * evicted.
 */
class TemplatePodTest {
    private static final long CORE = 1_000;
    private static final Resources CPU = new Resources(100, 0, 0, 0, Map.of());
    private static final HostPort HTTP = new HostPort("0.0.0.0", 80, "TCP");

    private static final Toleration GPU = new Toleration("gpu", "Exists", "", "NoSchedule");
    private static final Toleration NOT_READY =
            new Toleration("node.kubernetes.io/not-ready", "Exists", "", "NoExecute");

    private static final String ELSEWHERE = "no other node would take the pod now: of 1 other node: 1 ";
    private static final String NO_ROOM = ELSEWHERE + "short of cpu";
    private static final String TAINTED = ELSEWHERE + "cordoned or tainted";

    private static ClusterEvent owner(String kind, Optional<Controller> above, PodTemplate template) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "web",
                kind,
                new NamespacedName(NAMESPACE, "web"),
                above,
                OptionalInt.of(1),
                DisruptionAnnotations.none(),
                kind.equals("StatefulSet")
                        ? Optional.of(new StatefulSetRevisions(true, false, 2, 0, "old", "new"))
                        : Optional.empty(),
                PodCreation.atOnce().withTemplate(template)));
    }

    private static ClusterBuilder web(String kind, ClusterEvent owner, NodeTrait n2, PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(List.of(traits));
        all.addAll(List.of(on("n1"), ownedBy(kind, "web", "web"), nodeSelector("disk", "ssd")));
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"), n2)
                .with(owner)
                .pod("web-1", all.toArray(PodTrait[]::new));
    }

    /** {@return a pod of a ReplicaSet of a Deployment, and a node n2 of 2 cores} */
    private static Arguments row(String name, PodTemplate template, String expected, PodTrait... traits) {
        return row(name, template, allocatable(new Resources(2 * CORE, 0, 0, 110, Map.of())), expected, traits);
    }

    private static Arguments row(String name, PodTemplate template, NodeTrait n2, String expected, PodTrait... traits) {
        Controller deployment = new Controller("Deployment", "web", "d");
        return argumentSet(
                name, web("ReplicaSet", owner("ReplicaSet", Optional.of(deployment), template), n2, traits), expected);
    }

    private static Arguments plain(String name, PodTemplate template, String expected, PodTrait... traits) {
        NodeTrait n2 = allocatable(new Resources(2 * CORE, 0, 0, 110, Map.of()));
        return argumentSet(
                name, web("ReplicaSet", owner("ReplicaSet", Optional.empty(), template), n2, traits), expected);
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                row("resized from 8 to 100m, the next pod needs 8", template(app(8 * CORE)), NO_ROOM, resizedTo(100)),
                row("resized from 100m to 8, the next pod needs 100m", template(app(100)), "", resizedTo(8 * CORE)),
                row(
                        "a sidecar that admission added stays: 100m + 1950m",
                        template(app(100)),
                        NO_ROOM,
                        requesting(2 * CORE, NextRequests.TEMPLATE, app(50), container("proxy", Role.APP, 1_950))),
                row(
                        "a request that the template leaves out stays: a LimitRange set 3 cores",
                        template(new Container("app", Role.APP, Map.of(), Map.of())),
                        NO_ROOM,
                        resizedTo(3 * CORE)),
                row("a request of 0 in the template is a request", template(app(0)), "", resizedTo(3 * CORE)),
                row(
                        "an autoscaler sets the requests again: 100m, and 8 in the template",
                        template(app(8 * CORE)),
                        "",
                        requesting(100, NextRequests.AUTOSCALER, app(100))),
                row(
                        "an autoscaler sets the requests again: 8, and 100m in the template",
                        template(app(100)),
                        NO_ROOM,
                        requesting(8 * CORE, NextRequests.AUTOSCALER, app(8 * CORE))),
                row(
                        "an autoscaler sets the requests of cpu again, and a user resized from 8 cores to 100m before",
                        template(app(8 * CORE)),
                        "",
                        requesting(100, NextRequests.PARTLY_AUTOSCALER, autoscaled("cpu request"))),
                row(
                        "an autoscaler sets only requests of memory, and a user resized from 8 cores to 100m",
                        template(app(8 * CORE)),
                        NO_ROOM,
                        requesting(100, NextRequests.PARTLY_AUTOSCALER, autoscaled("memory request"))),
                row(
                        "an autoscaler sets the requests of app, and a user resized proxy from 8 cores to 100m",
                        template(app(8 * CORE), container("proxy", Role.APP, 8 * CORE)),
                        NO_ROOM,
                        requesting(
                                200,
                                NextRequests.PARTLY_AUTOSCALER,
                                autoscaled("cpu request"),
                                container("proxy", Role.APP, 100))),
                row(
                        "a container that only the template has counts",
                        template(app(100), container("new", Role.APP, 8 * CORE)),
                        NO_ROOM,
                        resizedTo(100)),
                row(
                        "an init container runs before the app: the larger of 3 and 0.1 cores",
                        template(app(100), container("init", Role.INIT, 3 * CORE)),
                        NO_ROOM,
                        requesting(100, NextRequests.TEMPLATE, app(100), container("init", Role.INIT, 50))),
                row(
                        "an init container of 1.5 cores fits before an app of 1 core",
                        template(app(CORE), container("init", Role.INIT, 1_500)),
                        "",
                        requesting(
                                8 * CORE,
                                NextRequests.TEMPLATE,
                                app(8 * CORE),
                                container("init", Role.INIT, 8 * CORE))),
                row(
                        "a sidecar runs beside the app: 1.5 and 1 core",
                        template(app(CORE), container("sidecar", Role.SIDECAR, 1_500)),
                        NO_ROOM,
                        requesting(200, NextRequests.TEMPLATE, app(100), container("sidecar", Role.SIDECAR, 100))),
                row(
                        "a sidecar runs beside the init container after it: 1 and 1.5 cores",
                        template(app(100)),
                        NO_ROOM,
                        requesting(
                                200,
                                NextRequests.TEMPLATE,
                                app(100),
                                container("sidecar", Role.SIDECAR, CORE),
                                container("init", Role.INIT, 1_500))),
                row(
                        "a pod that may have been changed, 100m now and 8 in the template",
                        template(app(8 * CORE)),
                        NO_ROOM,
                        requesting(100, NextRequests.TEMPLATE_IF_KNOWN, app(100))),
                row(
                        "a pod that may have been changed, 8 now and 100m in the template: a webhook may set 8",
                        template(app(100)),
                        NO_ROOM,
                        requesting(8 * CORE, NextRequests.TEMPLATE_IF_KNOWN, app(8 * CORE))),
                row(
                        "a container that only the template has requests its limit",
                        template(app(100), new Container("new", Role.APP, Map.of(), Map.of("cpu", 8 * CORE))),
                        NO_ROOM,
                        resizedTo(100)),
                row(
                        "the template made the init container a sidecar: 1 and 1.5 cores",
                        template(app(CORE), container("init", Role.SIDECAR, 1_500)),
                        NO_ROOM,
                        requesting(1_500, NextRequests.TEMPLATE, app(CORE), container("init", Role.INIT, 1_500))),
                row(
                        "the ReplicaSet of a Rollout, whose pods have another label, has a template that no user edits",
                        template(app(8 * CORE)),
                        "",
                        requesting(100, NextRequests.LARGER, app(100))),
                row(
                        "a pod that was never changed is what comes next",
                        template(app(8 * CORE)),
                        "",
                        needing(new PodRequirements(CPU, CPU, List.of(), List.of()))),
                plain(
                        "the template of a plain ReplicaSet was edited from 100m to 8",
                        template(app(8 * CORE)),
                        NO_ROOM,
                        requesting(100, NextRequests.LARGER, app(100))),
                plain(
                        "the template of a plain ReplicaSet was edited from 8 to 100m, or a webhook sets 8",
                        template(app(100)),
                        NO_ROOM,
                        requesting(8 * CORE, NextRequests.LARGER, app(8 * CORE))));
    }

    /** {@return the container app, which requests 100m of cpu, and of which an autoscaler sets this} */
    private static Container autoscaled(String what) {
        return new Container("app", Role.APP, Map.of("cpu", 100L), Map.of(), Set.of(what));
    }

    private static Container whole(Map<String, Long> requests, Map<String, Long> limits) {
        return new Container("", Role.POD, requests, limits);
    }

    private static Map<String, Long> cpu(long milliCpu) {
        return Map.of("cpu", milliCpu);
    }

    static Stream<Arguments> podLevelRequests() {
        return Stream.of(
                row(
                        "the pod as a whole was resized from 8 cores to 100m",
                        template(app(100), whole(cpu(8 * CORE), Map.of())),
                        NO_ROOM,
                        requesting(100, NextRequests.TEMPLATE, app(100), whole(cpu(100), Map.of()))),
                row(
                        "the template limits the pod to 8 cores, and its container requests 100m: so does the next pod",
                        template(app(100), whole(Map.of(), cpu(8 * CORE))),
                        "",
                        requesting(50, NextRequests.TEMPLATE, app(50), whole(cpu(50), cpu(8 * CORE)))),
                row(
                        "the API server set 3 cores for the pod as a whole, more than its container requests",
                        template(app(100), whole(Map.of(), cpu(8 * CORE))),
                        NO_ROOM,
                        requesting(3 * CORE, NextRequests.TEMPLATE, app(50), whole(cpu(3 * CORE), cpu(8 * CORE)))),
                row(
                        "the template limits the pod to 8 cores, and nothing is requested: the next pod requests 8",
                        template(bare("app"), whole(Map.of(), cpu(8 * CORE))),
                        NO_ROOM,
                        requesting(50, NextRequests.TEMPLATE, bare("app"), whole(cpu(50), cpu(50)))),
                row(
                        "a user gave the pod as a whole 100m, and a container of the template requests 8 cores",
                        template(app(8 * CORE)),
                        NO_ROOM,
                        requesting(100, NextRequests.TEMPLATE, app(100), whole(cpu(100), Map.of()))),
                defaults(
                        "a LimitRange sets 1.95 cores for one of two containers, the other requests 100m, and the pod"
                                + " at most 8",
                        1_950,
                        1_950,
                        NO_ROOM,
                        requesting(100, NextRequests.SAME, app(100), bare("proxy"), whole(cpu(100), cpu(8 * CORE))),
                        app(100),
                        bare("proxy"),
                        whole(Map.of(), cpu(8 * CORE))));
    }

    static Stream<Arguments> tolerations() {
        NodeTrait gpu = tainted("gpu", "", "NoSchedule");
        NodeTrait notReady = tainted("node.kubernetes.io/not-ready", "", "NoExecute");
        PodTemplate tolerant = template(List.of(GPU), List.of(), app(100));
        return Stream.of(
                row("the template tolerates the taint, as the pod does", tolerant, gpu, "", resizedTo(100), gpu()),
                row("a user added the toleration to the pod", template(app(100)), gpu, TAINTED, resizedTo(100), gpu()),
                row("only the template tolerates the taint", tolerant, gpu, "", resizedTo(100)),
                row(
                        "the API server adds the toleration to each pod",
                        template(app(100)),
                        notReady,
                        "",
                        resizedTo(100),
                        toleratingAny(NOT_READY.key(), NOT_READY.effect())));
    }

    private static PodTrait gpu() {
        return toleratingAny(GPU.key(), GPU.effect());
    }

    static Stream<Arguments> templates() {
        Scheduling elsewhere = new Scheduling(
                Labels.of(Map.of("disk", "nvme")), Optional.empty(), List.of(), List.of(), List.of(), List.of());
        NodeTrait large = allocatable(new Resources(64 * CORE, 0, 0, 110, Map.of()));
        ClusterEvent set = owner("StatefulSet", Optional.empty(), template(app(100)));
        ClusterEvent bare = new ClusterEvent.OwnerChanged(
                new Owner("web", "Job", new NamespacedName(NAMESPACE, "web"), Optional.empty(), OptionalInt.empty()));
        return Stream.of(
                row(
                        "a template that is not read",
                        PodTemplate.unread("its spec has 300 tolerations, and Holdfast reads at most 192"),
                        "the pod template of ReplicaSet web is not read: its spec has 300 tolerations, and Holdfast"
                                + " reads at most 192"),
                plain(
                        "a plain ReplicaSet whose template has other rules now",
                        new PodTemplate(elsewhere, template(app(100)).requirements()),
                        "ReplicaSet web would make the replacement from a template with other required rules than the"
                                + " pod has",
                        requesting(100, NextRequests.LARGER, app(100))),
                row(
                        "a webhook adds rules to the pods of a Deployment, whose template cannot have changed",
                        new PodTemplate(elsewhere, template(app(100)).requirements()),
                        "",
                        resizedTo(100)),
                argumentSet(
                        "the template of a plain ReplicaSet got a host port, which is in use on n2",
                        web(
                                        "ReplicaSet",
                                        owner(
                                                "ReplicaSet",
                                                Optional.empty(),
                                                template(List.of(), List.of(HTTP), app(100))),
                                        large,
                                        requesting(100, NextRequests.LARGER, app(100)))
                                .pod(
                                        "other",
                                        on("n2"),
                                        needing(new PodRequirements(CPU, CPU, List.of(HTTP), List.of()))),
                        ELSEWHERE + "with a host port of the pod in use"),
                row(
                        "a template that names a node",
                        edited("n1", false, VictimProtection.DEFAULT_SCHEDULER, RESTRICTED),
                        "the pod template of ReplicaSet web names node n1 (spec.nodeName), so the replacement would run"
                                + " there without the scheduler"),
                row(
                        "a template with scheduling gates",
                        edited("", true, VictimProtection.DEFAULT_SCHEDULER, RESTRICTED),
                        "the pod template of ReplicaSet web has scheduling gates (spec.schedulingGates), so no"
                                + " scheduler would place the replacement before another component removes them"),
                plain(
                        "the template of a plain ReplicaSet got another scheduler",
                        edited("", false, "mine", RESTRICTED),
                        "the pod template names scheduler mine, and schedulerNames of the operator lacks this"
                                + " scheduler",
                        requesting(100, NextRequests.LARGER, app(100))),
                row(
                        "a webhook sets the scheduler of the pods of a Deployment, whose template cannot have changed",
                        edited("", false, "mine", PRIVILEGED),
                        "",
                        resizedTo(100)),
                secured("the template of a plain ReplicaSet got a Pod Security level too low", RESTRICTED, PRIVILEGED),
                secured(
                        "a webhook lowers the Pod Security level of pods of a plain ReplicaSet",
                        PRIVILEGED,
                        RESTRICTED),
                argumentSet(
                        "a ReplicationController, which is not watched, and the pod was changed",
                        web("ReplicationController", bare, large, resizedTo(100)),
                        "the pod template of ReplicationController web is not read, and the spec of the pod was changed"
                                + " after its creation"),
                argumentSet(
                        "no template, and the pod was changed",
                        web("Job", bare, large, resizedTo(100)),
                        "Job web has no pod template (spec.template), and the spec of the pod was changed after its"
                                + " creation"),
                argumentSet(
                        "no template, and the pod may have been changed",
                        web("Job", bare, large, requesting(100, NextRequests.TEMPLATE_IF_KNOWN, app(100))),
                        ""),
                argumentSet(
                        "partition 2 keeps pod 1 at an old revision, whose template is not read",
                        web("StatefulSet", set, large, resizedTo(50), labels(StatefulSetRevisions.LABEL, "old")),
                        "StatefulSet web would make the replacement from the template of revision old, which Holdfast"
                                + " does not read, and the spec of the pod was changed after its creation"),
                argumentSet(
                        "partition 2 keeps pod 1 at an old revision, and the pod was never changed",
                        web("StatefulSet", set, large, labels(StatefulSetRevisions.LABEL, "old")),
                        ""));
    }

    private static PodTemplate edited(String node, boolean gated, String schedulerName, PodSecurityLevel level) {
        PodTemplate plain = template(app(100));
        return new PodTemplate(
                plain.scheduling(),
                plain.requirements(),
                Optional.of(node).filter(it -> !it.isEmpty()),
                gated,
                schedulerName,
                level);
    }

    /** {@return a pod of a plain ReplicaSet in a namespace that enforces baseline} */
    private static Arguments secured(String name, PodSecurityLevel pod, PodSecurityLevel template) {
        return argumentSet(
                name,
                web(
                                "ReplicaSet",
                                owner(
                                        "ReplicaSet",
                                        Optional.empty(),
                                        edited("", false, VictimProtection.DEFAULT_SCHEDULER, template)),
                                labels(),
                                requesting(100, NextRequests.LARGER, app(100)),
                                satisfying(pod))
                        .namespace(NAMESPACE, labels(PodSecurityLevel.ENFORCE, "baseline")),
                "the API server would refuse the replacement: the label pod-security.kubernetes.io/enforce of namespace"
                        + " shop enforces baseline, and "
                        + (template == PRIVILEGED ? "a pod of its template" : "the pod")
                        + " satisfies privileged at most");
    }

    /** {@return the container app, which requests 100m and may use this much cpu} */
    private static Container limitedTo(long milliCpu) {
        return new Container("app", Role.APP, Map.of("cpu", 100L), Map.of("cpu", milliCpu));
    }

    static Stream<Arguments> quotas() {
        Controller deployment = new Controller("Deployment", "web", "d");
        return Stream.of(
                argumentSet(
                        "a quota of 10 cores, 4 used: the next pod needs 8 instead of 0.1",
                        web(
                                        "ReplicaSet",
                                        owner("ReplicaSet", Optional.of(deployment), template(app(8 * CORE))),
                                        labels(),
                                        resizedTo(100))
                                .with(quotaChanged("q", "requests.cpu", 10, 4)),
                        "ResourceQuota q would refuse the replacement: it allows 10 of requests.cpu, 4 are used, and"
                                + " the replacement needs 7.9 more than the pod"),
                argumentSet(
                        "a quota of 12 cores, 4 used: the next pod needs 8 instead of 0.1",
                        web(
                                        "ReplicaSet",
                                        owner("ReplicaSet", Optional.of(deployment), template(app(8 * CORE))),
                                        labels(),
                                        resizedTo(100))
                                .with(quotaChanged("q", "requests.cpu", 12, 4)),
                        ""),
                argumentSet(
                        "a quota of limits of 10 cores, 4 used: the next pod may use 8 instead of 1",
                        web(
                                        "ReplicaSet",
                                        owner("ReplicaSet", Optional.of(deployment), template(limitedTo(8 * CORE))),
                                        labels(),
                                        requesting(100, NextRequests.TEMPLATE, limitedTo(CORE)))
                                .with(quotaChanged("q", "limits.cpu", 10, 4)),
                        "ResourceQuota q would refuse the replacement: it allows 10 of limits.cpu, 4 are used, and the"
                                + " replacement needs 7 more than the pod"),
                argumentSet(
                        "a quota of 4 cores, 5 used: the next pod needs 0.1 instead of 8",
                        web(
                                        "ReplicaSet",
                                        owner("ReplicaSet", Optional.of(deployment), template(app(100))),
                                        labels(),
                                        resizedTo(8 * CORE))
                                .with(quotaChanged("q", "cpu", 4, 5)),
                        ""));
    }

    private static Container bare(String name) {
        return new Container(name, Role.APP, Map.of(), Map.of());
    }

    /**
     * {@return a pod of a ReplicaSet whose template has these containers, with a LimitRange of now and its defaults}
     */
    private static Arguments defaults(
            String name, long request, long limit, String expected, PodTrait pod, Container... template) {
        return argumentSet(name, withDefaults(request, limit, pod, template), expected);
    }

    private static ClusterBuilder withDefaults(long request, long limit, PodTrait pod, Container... template) {
        Optional<Controller> deployment = Optional.of(new Controller("Deployment", "web", "d"));
        return web(
                        "ReplicaSet",
                        owner("ReplicaSet", deployment, template(template)),
                        allocatable(new Resources(2 * CORE, 0, 0, 110, Map.of())),
                        pod)
                .with(defaultCpuChanged(request, limit));
    }

    /** {@return the trait of a pod whose container app got this request of cpu and limit from a LimitRange of then} */
    private static PodTrait gotDefaults(long milliCpu, NextRequests next) {
        Resources cpu = new Resources(milliCpu, 0, 0, 0, Map.of());
        Container app = new Container("app", Role.APP, Map.of("cpu", milliCpu), Map.of("cpu", milliCpu));
        return needing(new PodRequirements(cpu, cpu, List.of(), List.of(), List.of(app), next, true));
    }

    /**
     * {@return a pod with a default of then, of a Job whose template is not known: the larger of own and default
     * counts}
     */
    private static Arguments withoutTemplate(String name, long then, long now) {
        ClusterEvent job = new ClusterEvent.OwnerChanged(
                new Owner("web", "Job", new NamespacedName(NAMESPACE, "web"), Optional.empty(), OptionalInt.empty()));
        NodeTrait n2 = allocatable(new Resources(2 * CORE, 0, 0, 110, Map.of()));
        return argumentSet(
                name,
                web("Job", job, n2, gotDefaults(then, NextRequests.SAME)).with(defaultCpuChanged(now, now)),
                NO_ROOM);
    }

    static Stream<Arguments> limitRanges() {
        return Stream.of(
                defaults(
                        "a LimitRange set 100m, and sets 8 cores now",
                        8 * CORE,
                        8 * CORE,
                        NO_ROOM,
                        gotDefaults(100, NextRequests.SAME),
                        bare("app")),
                defaults(
                        "a LimitRange or a webhook set 8 cores, and the LimitRange sets 100m now",
                        100,
                        100,
                        NO_ROOM,
                        gotDefaults(8 * CORE, NextRequests.SAME),
                        bare("app")),
                row(
                        "a LimitRange or a webhook set 8 cores, and the LimitRange is gone",
                        template(bare("app")),
                        NO_ROOM,
                        gotDefaults(8 * CORE, NextRequests.SAME)),
                defaults(
                        "a LimitRange set 100m and sets 8 cores now, and a user resized the pod",
                        8 * CORE,
                        8 * CORE,
                        NO_ROOM,
                        gotDefaults(50, NextRequests.TEMPLATE),
                        bare("app")),
                defaults(
                        "the template names 100m, and a LimitRange set only the limit",
                        8 * CORE,
                        8 * CORE,
                        "",
                        gotDefaults(100, NextRequests.SAME),
                        app(100)),
                defaults(
                        "nothing set a request then, and a LimitRange sets 3 cores now",
                        3 * CORE,
                        3 * CORE,
                        NO_ROOM,
                        requesting(0, NextRequests.SAME, bare("app")),
                        bare("app")),
                defaults(
                        "a sidecar that admission added gets the default of now, too: 1.5 and 1.5 cores",
                        1_500,
                        1_500,
                        NO_ROOM,
                        requesting(0, NextRequests.SAME, bare("app"), bare("proxy")),
                        bare("app")),
                withoutTemplate("no template, a LimitRange set 100m, and sets 8 cores now", 100, 8 * CORE),
                withoutTemplate(
                        "no template, a LimitRange set 8 cores or a user did, and it sets 100m now", 8 * CORE, 100),
                argumentSet(
                        "a quota of limits of 10 cores, 4 used: the default limit is 8 cores, and was 100m",
                        withDefaults(100, 8 * CORE, gotDefaults(100, NextRequests.SAME), bare("app"))
                                .with(quotaChanged("q", "limits.cpu", 10, 4)),
                        "ResourceQuota q would refuse the replacement: it allows 10 of limits.cpu, 4 are used, and the"
                                + " replacement needs 7.9 more than the pod"));
    }

    @ParameterizedTest
    @MethodSource({"requests", "podLevelRequests", "tolerations", "templates", "quotas", "limitRanges"})
    void theNextPodMustFit(ClusterBuilder facts, String expected) {
        ReferenceCluster referenceCluster = facts.build();

        Plan plan = new ShuffledPlanner(1, 1)
                .plan(List.of(candidate(referenceCluster, "web-1")), situation(referenceCluster, new Moves()));

        assertThat(plan.held())
                .extracting(held -> held.hold().message())
                .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected));
        assertThat(plan.chosen()).hasSize(expected.isEmpty() ? 1 : 0);
    }
}

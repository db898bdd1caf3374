package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.manifest.FileChanges;
import dev.holdfast.operator.offline.manifest.WrittenObjects;
import dev.holdfast.operator.offline.print.SelectorText;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.object.NewPods;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.LabelSyntax;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the steps of a test. Example: <code>{at: 10m, label: {nodes: [n1, n2], set: {disk: hdd}, every: 5s}}</code> is
 * two steps, at 10m and at 10m5s.
 */
final class StepReader {
    private static final Set<String> SCALABLE = Set.of("Deployment", "ReplicaSet", "StatefulSet");
    private static final Set<String> ACTIONS = Set.of(
            "label",
            "cordon",
            "drain",
            "fail",
            "recover",
            "removeNode",
            "crash",
            "repair",
            "finish",
            "delete",
            "newPods",
            "scale",
            "apply",
            "enforce",
            "acknowledge");
    private static final Map<String, NewPods> FATES =
            Map.of("Start", NewPods.START, "NotReady", NewPods.NOT_READY, "Refused", NewPods.REFUSED);

    private final Applying applying;
    private final Scaling scaling;
    private final Enforcing enforcing;

    /** Reads a file that a step applies. */
    @FunctionalInterface
    interface Applying {
        WrittenObjects.Read read(String file) throws DumpException;
    }

    /** Makes the pods of a workload that has none and is scaled. */
    @FunctionalInterface
    interface Scaling {
        List<Pod> pods(String kind, NamespacedName name, int replicas) throws DumpException;
    }

    /** Finds a policy and sets its mode to Enforce. */
    @FunctionalInterface
    interface Enforcing {
        Change enforce(String policy) throws DumpException;
    }

    StepReader(Applying applying, Scaling scaling, Enforcing enforcing) {
        this.applying = applying;
        this.scaling = scaling;
        this.enforcing = enforcing;
    }

    /** {@return the changes of a step; several steps if there is a time between them} */
    List<PolicyTestFolder.Step> read(Fields step, DumpedPolicies translator) throws DumpException {
        Duration at = step.time("at").orElseThrow(() -> step.wrong("at", "is missing"));
        List<PolicyTestFolder.Step> steps = new ArrayList<>();
        for (Fields label : step.objects("label")) {
            steps.addAll(label(at, label));
        }
        List<Change> changes = new ArrayList<>();
        step.texts("cordon").forEach(node -> changes.add(new Change.Cordon(node)));
        step.texts("drain").forEach(node -> changes.add(new Change.Drain(node)));
        step.texts("fail").forEach(node -> changes.add(new Change.FailNode(node)));
        step.texts("recover").forEach(node -> changes.add(new Change.RecoverNode(node)));
        step.texts("removeNode").forEach(node -> changes.add(new Change.RemoveNode(node)));
        pods(step, "crash").forEach(pod -> changes.add(new Change.CrashPod(pod)));
        pods(step, "repair").forEach(pod -> changes.add(new Change.RepairPod(pod)));
        pods(step, "finish").forEach(pod -> changes.add(new Change.FinishPod(pod)));
        pods(step, "delete").forEach(pod -> changes.add(new Change.DeletePod(pod)));
        Optional<String> newPods = step.text("newPods");
        if (newPods.isPresent()) {
            changes.add(new Change.SetNewPods(fate(step, newPods.get())));
        }
        for (Fields scale : step.objects("scale")) {
            changes.add(scale(scale));
        }
        for (String file : step.texts("apply")) {
            WrittenObjects.Read applied = applying.read(file);
            changes.addAll(FileChanges.apply(applied.dump(), translator));
            changes.add(new Change.AddObjects(applied.created()));
            changes.addAll(applied.changes());
        }
        for (String policy : step.texts("enforce")) {
            changes.add(enforcing.enforce(policy));
        }
        step.texts("acknowledge").forEach(policy -> changes.add(new Change.Acknowledge(FileChanges.policy(policy))));
        step.requireNoOther();
        if (!changes.isEmpty()) {
            steps.add(new PolicyTestFolder.Step(at, step.place(), changes));
        }
        if (steps.isEmpty()) {
            throw new DumpException(step.place() + ": the step changes nothing: give one of "
                    + String.join(", ", ACTIONS.stream().sorted().toList()));
        }
        return steps;
    }

    private static List<PolicyTestFolder.Step> label(Duration at, Fields label) throws DumpException {
        Map<String, Optional<String>> labels = new TreeMap<>();
        Optional<Fields> set = label.object("set");
        if (set.isPresent()) {
            set.get().texts().forEach((key, value) -> labels.put(key, Optional.of(value)));
        }
        label.texts("remove").forEach(key -> labels.put(key, Optional.empty()));
        for (Map.Entry<String, Optional<String>> one : labels.entrySet()) {
            if (!LabelSyntax.isKey(one.getKey())
                    || !LabelSyntax.isValue(one.getValue().orElse(""))) {
                throw new DumpException(label.place() + ": no label can be " + one.getKey()
                        + one.getValue().map(value -> "=" + value).orElse(""));
            }
        }
        if (labels.isEmpty()) {
            throw new DumpException(label.place() + ": no label changes: give `set` or `remove`");
        }
        Duration every = label.time("every").orElse(Duration.ZERO);
        List<Change.LabelNodes> changes = new ArrayList<>();
        for (String node : label.texts("nodes")) {
            changes.add(new Change.LabelNodes(node, new Change.Selection.Named(node), labels));
        }
        Optional<String> selector = label.text("selector");
        if (selector.isPresent()) {
            changes.add(new Change.LabelNodes(
                    "with labels " + selector.get(),
                    new Change.Selection.Labeled(matcher(label, selector.get())::matches),
                    labels));
        }
        label.requireNoOther();
        if (selector.isPresent() && label.has("nodes")) {
            throw new DumpException(label.place() + ": give `nodes` or `selector`, not both");
        }
        if (changes.isEmpty()) {
            throw new DumpException(label.place() + ": names no node: give `nodes` or `selector`");
        }
        List<PolicyTestFolder.Step> steps = new ArrayList<>();
        for (Change.LabelNodes change : changes) {
            steps.add(new PolicyTestFolder.Step(
                    at.plus(every.multipliedBy(steps.size())), label.place(), List.of(change)));
        }
        return steps;
    }

    private static LabelMatcher matcher(Fields label, String selector) throws DumpException {
        return switch (SelectorText.parse(selector)) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw label.wrong("selector", "is invalid: " + why);
        };
    }

    private static List<NamespacedName> pods(Fields step, String action) throws DumpException {
        List<NamespacedName> pods = new ArrayList<>();
        for (String name : step.texts(action)) {
            String[] parts = name.split("/", -1);
            if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
                throw step.wrong(action, "must be NAMESPACE/POD, and is " + name);
            }
            pods.add(new NamespacedName(parts[0], parts[1]));
        }
        return pods;
    }

    private static NewPods fate(Fields step, String name) throws DumpException {
        NewPods fate = FATES.get(name);
        if (fate == null) {
            throw step.wrong("newPods", "must be Start, NotReady or Refused, and is " + name);
        }
        return fate;
    }

    private Change scale(Fields scale) throws DumpException {
        String kind = scale.required("kind");
        if (!SCALABLE.contains(kind)) {
            throw scale.wrong("kind", "must be Deployment, ReplicaSet or StatefulSet, and is " + kind);
        }
        NamespacedName name = new NamespacedName(scale.text("namespace").orElse("default"), scale.required("name"));
        int replicas = scale.number("replicas");
        scale.requireNoOther();
        return new Change.Scale(kind, name, replicas, scaling.pods(kind, name, replicas));
    }
}

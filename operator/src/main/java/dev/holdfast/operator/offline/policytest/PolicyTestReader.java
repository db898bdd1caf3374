package dev.holdfast.operator.offline.policytest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.config.ConfigException;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.manifest.FileChanges;
import dev.holdfast.operator.offline.manifest.WrittenObjects;
import dev.holdfast.operator.offline.print.TimeText;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.operator.offline.whatif.Horizon;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleKind;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one test folder. */
final class PolicyTestReader {
    /** The file that makes a folder a test. */
    static final String FILE = "test.yaml";

    static final String API_VERSION = "cli.holdfast.dev/v1";
    static final String KIND = "PolicyTest";
    static final String CLUSTER = "cluster.yaml";
    private static final String POLICIES = "policies.yaml";

    /** A Monday at midnight, for clusters that do not say when they were. */
    private static final Instant USUAL_START = Instant.parse("2026-01-05T00:00:00Z");

    private static final Duration USUAL_LENGTH = Duration.ofHours(2);
    private static final Duration LONGEST = Duration.ofDays(60);

    /** The largest number of copies that one expectation stands for. */
    private static final int MOST_COPIES = 100_000;

    private static final List<String> STORAGE = List.of("PersistentVolumeClaim", "PersistentVolume", "StorageClass");

    private static final List<String> NAME = List.of("/kind", "/metadata/namespace", "/metadata/name");
    private static final List<String> MEANING = List.of("/spec", "/metadata/annotations", "/metadata/labels");

    private final Path folder;
    private final Source source;
    private final WrittenObjects objects = new WrittenObjects();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> unknownWords = new ArrayList<>();
    private final List<ObjectNode> policyObjects = new ArrayList<>();

    private PolicyTestReader(Path folder, Source source) {
        this.folder = folder;
        this.source = source;
    }

    /** Where the files of a test come from. */
    @FunctionalInterface
    interface Source {
        /** {@return the file with this name, or those in the folder with this name} */
        List<DumpFile> files(String name) throws DumpException;
    }

    /**
     * {@return the test in a folder}
     *
     * @throws DumpException if a file is missing or wrong; the message names the place
     */
    static PolicyTestFolder read(Path folder) throws DumpException {
        return read(folder, name -> DumpFile.of(folder.resolve(name).toString(), InputStream.nullInputStream()));
    }

    /** {@return the test in a folder whose files come from elsewhere} */
    static PolicyTestFolder read(Path folder, Source source) throws DumpException {
        return new PolicyTestReader(folder, source).read();
    }

    private PolicyTestFolder read() throws DumpException {
        Fields test = document();
        String story = test.text("story").orElse("").strip();
        OperatorConfig config = config(test);
        DumpedPolicies translator = new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()));
        WrittenObjects.Read cluster = objects.read(files(test));
        warnings.addAll(cluster.dump().warnings());
        policyObjects.addAll(cluster.dump().policies());
        List<ObjectNode> initial = cluster.dump().policies();
        List<Event.PolicyChanged> inForce = translator.translate(initial);
        Instant start = start(test);
        StepReader steps = new StepReader(this::applied, objects::scaled, name -> enforce(name, translator));
        List<PolicyTestFolder.Step> read = new ArrayList<>();
        for (Fields step : inOrder(test.objects("steps"))) {
            read.addAll(steps.read(step, translator));
        }
        read.sort(Comparator.comparing(PolicyTestFolder.Step::at));
        List<Policy> policies = policies(inForce, read);
        if (policies.isEmpty()) {
            throw new DumpException(test.place() + ": there is no policy: write one to " + POLICIES);
        }
        Duration last = read.isEmpty() ? Duration.ZERO : read.getLast().at();
        Duration end = test.time("end").orElseGet(() -> last.plus(usualLength(policies)));
        if (end.compareTo(LONGEST) > 0 || end.compareTo(last) < 0) {
            throw test.wrong("end", "must be at most 1440h, and not before the last step");
        }
        List<PolicyTestFolder.Expectation> expectations = expectations(test, end, words(policies));
        test.requireNoOther();
        List<Pause> pauses = translator.pauses(initial);
        if (!translator.warnings().isEmpty()) {
            // The API server would refuse it, and the operator would do something that no one has written.
            throw new DumpException(test.place() + ": " + String.join("; ", translator.warnings()));
        }
        return new PolicyTestFolder(
                folder.toString(),
                story,
                config,
                start,
                end,
                new SimulationInput(
                                cluster.dump().objects(),
                                inForce,
                                pauses,
                                cluster.created(),
                                cluster.dump().volumes())
                        .withTaints(cluster.dump().times().taints()),
                read,
                policies,
                expectations,
                unknownWords,
                warnings);
    }

    /** {@return the steps in the order of time, in which a step may be about what an earlier one applied} */
    private static List<Fields> inOrder(List<Fields> steps) throws DumpException {
        IdentityHashMap<Fields, Duration> times = new IdentityHashMap<>();
        for (Fields step : steps) {
            times.put(step, step.time("at").orElseThrow(() -> step.wrong("at", "is missing")));
        }
        return steps.stream().sorted(Comparator.comparing(times::get)).toList();
    }

    private static Duration usualLength(List<Policy> policies) {
        Duration horizon = Horizon.of(policies);
        return horizon.compareTo(USUAL_LENGTH) > 0 ? horizon : USUAL_LENGTH;
    }

    private Fields document() throws DumpException {
        String file = folder.resolve(FILE).toString();
        List<JsonNode> documents = DumpReader.documents(source.files(FILE).getFirst());
        if (documents.size() != 1) {
            throw new DumpException(file + ": must have one document, and has " + documents.size());
        }
        Fields test = Fields.of(file, documents.getFirst());
        if (!test.required("apiVersion").equals(API_VERSION)
                || !test.required("kind").equals(KIND)) {
            throw new DumpException(file + ": must begin with apiVersion: " + API_VERSION + " and kind: " + KIND);
        }
        return test;
    }

    private List<DumpFile> files(Fields test) throws DumpException {
        List<String> names = new ArrayList<>(test.has("cluster") ? test.texts("cluster") : List.of(CLUSTER));
        boolean usual = !test.has("policies") && Files.exists(folder.resolve(POLICIES));
        names.addAll(usual ? List.of(POLICIES) : test.texts("policies"));
        test.texts("cluster");
        test.texts("policies");
        List<DumpFile> files = new ArrayList<>();
        for (String name : names) {
            files.addAll(source.files(name));
        }
        return files;
    }

    /** {@return the policies of the test, with those that its steps create} */
    private static List<Policy> policies(List<Event.PolicyChanged> inForce, List<PolicyTestFolder.Step> steps) {
        List<Policy> policies = new ArrayList<>();
        inForce.forEach(policy -> policies.add(policy.policy()));
        for (PolicyTestFolder.Step step : steps) {
            for (Change change : step.changes()) {
                if (change instanceof Change.PutPolicy(Event.PolicyChanged put)) {
                    policies.add(put.policy());
                }
            }
        }
        return policies;
    }

    private OperatorConfig config(Fields test) throws DumpException {
        Optional<String> file = test.text("config");
        if (file.isEmpty()) {
            return OperatorConfig.defaults();
        }
        try {
            return OperatorConfig.read(folder.resolve(file.get()));
        } catch (ConfigException e) {
            throw new DumpException(String.valueOf(e.getMessage()), e);
        }
    }

    private Instant start(Fields test) throws DumpException {
        Optional<String> text = test.text("start");
        if (text.isEmpty()) {
            return objects.newest().equals(Instant.MIN) ? USUAL_START : objects.newest();
        }
        try {
            return Instant.parse(text.get());
        } catch (DateTimeException e) {
            throw test.wrong("start", "must be an instant such as 2026-01-05T08:00:00Z, and is " + text.get());
        }
    }

    private WrittenObjects.Read applied(String name) throws DumpException {
        WrittenObjects.Read read = objects.read(source.files(name));
        if (STORAGE.stream().anyMatch(kind -> read.dump().count(kind) > 0)) {
            throw new DumpException(name
                    + ": claims, volumes and storage classes cannot be applied later: write them to the" + " cluster");
        }
        List<ObjectNode> changed =
                read.dump().policies().stream().filter(this::put).toList();
        warnings.addAll(read.dump().warnings());
        return new WrittenObjects.Read(read.dump().withPolicies(changed), read.created(), read.changes());
    }

    private Change enforce(String name, DumpedPolicies translator) throws DumpException {
        ObjectNode enforced = FileChanges.enforced(name, policyObjects);
        return put(enforced)
                ? new Change.PutPolicy(translator.translate(List.of(enforced)).getLast())
                : new Change.AddObjects(List.of());
    }

    /** Creates or edits a policy or pause. Returns false if the API server would change nothing. */
    private boolean put(ObjectNode policy) {
        boolean isSo = policyObjects.reversed().stream()
                .filter(other -> NAME.stream().allMatch(field -> other.at(field).equals(policy.at(field))))
                .findFirst()
                .filter(other ->
                        MEANING.stream().allMatch(field -> other.at(field).equals(policy.at(field))))
                .isPresent();
        return !isSo && policyObjects.add(policy);
    }

    /** {@return the words that fields of expectations can have; other fields have names of objects} */
    private static Map<String, Set<String>> words(List<Policy> policies) {
        Set<String> rules = new TreeSet<>();
        Stream.of(RuleKind.values()).map(RuleKind::label).forEach(rules::add);
        policies.forEach(policy -> policy.rules().forEach(rule -> rules.add(rule.name())));
        return Map.of(
                "rule", rules,
                "outcome",
                        Stream.of(Outcome.values()).map(Outcome::label).collect(Collectors.toCollection(TreeSet::new)),
                "reason", Stream.of(Reason.values()).map(Reason::label).collect(Collectors.toCollection(TreeSet::new)));
    }

    private List<PolicyTestFolder.Expectation> expectations(Fields test, Duration end, Map<String, Set<String>> words)
            throws DumpException {
        List<PolicyTestFolder.Expectation> expectations = new ArrayList<>();
        for (Fields expected : test.objects("expect")) {
            Duration at = expected.time("at").orElse(end);
            if (at.compareTo(end) > 0) {
                throw expected.wrong("at", "must be at most the `end` of the test");
            }
            Map<Entry.Subject, List<Entry>> lists = new EnumMap<>(Entry.Subject.class);
            for (Entry.Subject subject : Entry.Subject.values()) {
                List<Entry> entries = entries(expected, subject, words);
                if (expected.has(subject.plural())) {
                    lists.put(subject, entries);
                }
            }
            expected.requireNoOther();
            if (lists.isEmpty()) {
                throw new DumpException(expected.place() + ": has no expectation: give "
                        + Stream.of(Entry.Subject.values())
                                .map(Entry.Subject::plural)
                                .collect(Collectors.joining(", ")));
            }
            expectations.add(new PolicyTestFolder.Expectation(at, lists));
        }
        expectations.sort(Comparator.comparing(PolicyTestFolder.Expectation::at));
        return expectations;
    }

    private List<Entry> entries(Fields expected, Entry.Subject subject, Map<String, Set<String>> words)
            throws DumpException {
        List<Entry> entries = new ArrayList<>();
        for (Fields written : expected.objects(subject.plural())) {
            int copies = written.has("count") ? written.number("count") : 1;
            if (copies > MOST_COPIES) {
                throw written.wrong("count", "must be at most " + MOST_COPIES);
            }
            Map<String, String> fields = new LinkedHashMap<>();
            for (String name : subject.names()) {
                if (written.has(name)) {
                    fields.put(name, name.equals("at") ? time(written) : written.required(name));
                    Set<String> known = words.getOrDefault(name, subject.words(name));
                    if (!known.isEmpty()) {
                        written.unknownWord(name, known).ifPresent(unknownWords::add);
                    }
                } else {
                    written.text(name);
                }
            }
            written.text("count");
            written.requireNoOther();
            for (int i = 0; i < copies; i++) {
                entries.add(new Entry(fields));
            }
        }
        return entries;
    }

    /** {@return a time in the form in which found evictions have it} */
    private static String time(Fields written) throws DumpException {
        return TimeText.of(written.time("at").orElseThrow());
    }
}

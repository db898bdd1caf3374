package dev.holdfast.operator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.VersionDecoder;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.operator.feed.KindReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packages of the product: which may use which, and how far classes are entangled. */
class RoomsTest {
    private static final String BASE = "dev.holdfast.";

    /** A package uses only packages that stand before it in the list of its module. */
    static final Map<String, List<String>> ORDER = Map.of(
            "policies",
                    List.of(
                            "compact",
                            "model",
                            "model.view",
                            "model.injected",
                            "selector",
                            "rule",
                            "inject",
                            "effect",
                            "evaluate",
                            "score",
                            "soft",
                            "forgive",
                            "index.table",
                            "index.lookup",
                            "index.change",
                            "index.count",
                            "index.pods",
                            "index.query",
                            "index",
                            "plan.move",
                            "plan.controls",
                            "plan.capacity",
                            "plan.domain",
                            "plan.input",
                            "plan.check",
                            "plan.feasibility",
                            "plan",
                            "engine.protocol.ledger",
                            "engine.report",
                            "engine.protocol",
                            "engine.live",
                            "engine.backlog",
                            "engine.breaker",
                            "engine.state",
                            "engine.ledger",
                            "engine.status",
                            "engine.violations",
                            "engine.planning",
                            "engine.eviction",
                            "engine"),
            "operator",
                    List.of(
                            "config",
                            "translate",
                            "annotation",
                            "decode.fields",
                            "decode.protobuf",
                            "decode.meta",
                            "decode.requirements",
                            "decode.scheduling",
                            "decode",
                            "api",
                            "feed",
                            "evict",
                            "lead",
                            "ledger",
                            "publish.rate",
                            "publish.series",
                            "publish",
                            "loop",
                            "reconcile.status",
                            "reconcile",
                            "serve.http",
                            "serve",
                            "app",
                            "log",
                            "offline.dump.json",
                            "offline.dump.text",
                            "offline.dump.admission",
                            "offline.dump.selectors",
                            "offline.dump",
                            "offline.dump.live",
                            "offline.print",
                            "offline.waiting",
                            "offline.simulate.object",
                            "offline.simulate.cluster",
                            "offline.simulate",
                            "offline.rollout",
                            "offline.stranded",
                            "offline.loss",
                            "offline.check",
                            "offline.soft",
                            "offline.check.watch",
                            "offline.whatif",
                            "offline.check.form",
                            "offline.explain",
                            "offline.manifest",
                            "offline.policytest",
                            "offline.policytest.form",
                            "offline.demo",
                            "offline.report",
                            "offline.report.html",
                            "offline.report.page",
                            "offline.report.form",
                            "cli.options",
                            "cli.change",
                            "cli.completion",
                            "cli.program",
                            "cli"));

    /**
     * Knots: classes of one package of which each reaches each other one by its dependencies. The size of the largest
     * knot in each package that has one. A smaller number is welcome; a larger one needs a reason in the commit.
     */
    private static final Map<String, Integer> KNOTS = new TreeMap<>(Map.ofEntries(
            Map.entry("dev.holdfast.operator.config", 2),
            Map.entry("dev.holdfast.operator.offline.dump.json", 3),
            Map.entry("dev.holdfast.operator.offline.dump.text", 3),
            Map.entry("dev.holdfast.policies.evaluate", 2),
            Map.entry("dev.holdfast.policies.index.change", 2),
            Map.entry("dev.holdfast.policies.index.count", 5),
            Map.entry("dev.holdfast.policies.index.pods", 7),
            Map.entry("dev.holdfast.policies.plan.controls", 2),
            Map.entry("dev.holdfast.policies.plan.input", 4),
            Map.entry("dev.holdfast.policies.rule", 2)));

    static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.holdfast.policies", "dev.holdfast.crds", "dev.holdfast.operator");

    static Stream<Arguments> rooms() {
        return ORDER.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(module -> module.getValue().stream()
                        .map(room -> Arguments.argumentSet(module.getKey() + "." + room, module.getKey(), room)));
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aPackageUsesOnlyPackagesBeforeIt(String module, String room) {
        List<String> order = ORDER.getOrDefault(module, List.of());
        String[] later = order.subList(order.indexOf(room) + 1, order.size()).stream()
                .map(name -> BASE + module + "." + name)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(BASE + module + "." + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(later)
                .allowEmptyShould(later.length == 0)
                .check(PRODUCT);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() {
        Set<String> ordered = new HashSet<>(Set.of("dev.holdfast.operator"));
        ORDER.forEach((module, rooms) -> rooms.forEach(room -> ordered.add(BASE + module + "." + room)));

        assertThat(PRODUCT.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.startsWith("dev.holdfast.crds"))
                        .collect(toSet()))
                .isEqualTo(ordered);
    }

    @Test
    void noPackagesDependOnEachOtherInACycle() {
        slices().matching("dev.holdfast.(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    @Test
    void knotsOfClassesDoNotGrow() {
        Map<String, Integer> knots = new TreeMap<>();
        PRODUCT.stream().collect(groupingBy(JavaClass::getPackageName)).forEach((name, members) -> {
            int largest = Knots.largest(members);
            if (largest > 1) {
                knots.put(name, largest);
            }
        });

        assertThat(knots).isEqualTo(KNOTS);
    }

    @Test
    void policiesUsesTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("dev.holdfast.policies..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.policies..", "java..", "org.jspecify..")
                .check(PRODUCT);
    }

    @Test
    void theProgramIsMainAlone() {
        classes()
                .that()
                .resideInAPackage("dev.holdfast.operator")
                .should()
                .haveFullyQualifiedName(Main.class.getName())
                .orShould()
                .haveSimpleName("package-info")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.operator")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.operator")
                .check(PRODUCT);
    }

    @Test
    void decodersKnowBytesAndFactsOnly() {
        classes()
                .that()
                .resideInAPackage("dev.holdfast.operator.decode..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.operator.decode..",
                        "dev.holdfast.policies.model",
                        "dev.holdfast.policies.model.injected",
                        "java..",
                        "org.jspecify..")
                .check(PRODUCT);
    }

    /**
     * A decoder that two threads reach reads wrong pods. So whatever decodes stands in fields only where one thread, or
     * a lock, confines it: inside the decoders, in {@code ObjectReader} (which locks), and in {@code KindReader} (which
     * refuses a second thread).
     */
    @Test
    void decodersStandOnlyInFieldsOfWhatIsConfined() {
        DescribedPredicate<JavaClass> decoders = JavaClass.Predicates.assignableTo(ObjectDecoder.class)
                .or(JavaClass.Predicates.assignableTo(VersionDecoder.class))
                .or(JavaClass.Predicates.assignableTo(ProtoReader.class))
                .or(JavaClass.Predicates.assignableTo(WatchReader.class))
                .or(JavaClass.Predicates.assignableTo(ListReader.class))
                .or(JavaClass.Predicates.assignableTo("dev.holdfast.operator.decode.meta.MetadataDecoder"))
                .or(JavaClass.Predicates.assignableTo("dev.holdfast.operator.decode.protobuf.ByteKeyedCache"))
                .or(JavaClass.Predicates.assignableTo("dev.holdfast.operator.decode.protobuf.StringCache"))
                .or(JavaClass.Predicates.assignableTo("dev.holdfast.operator.decode.protobuf.FieldBuffer"));
        fields().that()
                .haveRawType(decoders)
                .should()
                .beDeclaredInClassesThat(JavaClass.Predicates.resideInAPackage("dev.holdfast.operator.decode..")
                        .or(JavaClass.Predicates.assignableTo(KindReader.class)))
                .check(PRODUCT);
        noFields().that().haveRawType(decoders).should().beStatic().check(PRODUCT);
    }

    @Test
    void aReaderOfAKindLivesInALocalVariableOfItsThread() {
        noFields().should().haveRawType(KindReader.class).check(PRODUCT);
    }

    @Test
    void onlyMainReadsTheClock() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Main.class.getName())
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(InstantSource.class, "system")
                .check(PRODUCT);
    }

    @Test
    void onlyCommandsWriteToTheTerminal() {
        noClasses()
                // Main refuses an AOT cache of other jars before a command may run.
                .that(not(JavaClass.Predicates.resideInAPackage("dev.holdfast.operator.cli")
                        .or(JavaClass.Predicates.equivalentTo(Main.class))))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(PRODUCT);
    }
}

package dev.holdfast.operator;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Packages, files and constructors of the product are small enough to be read in one go.
 *
 * <p>What exceeds a limit stands here with its exact size. A listed size may only fall, and it is lowered together with
 * the code; see ADR 8.
 */
class SizesTest {
    private static final long MOST_CLASSES = 20;
    private static final long MOST_LINES_OF_A_PACKAGE = 2_000;
    private static final long MOST_LINES_OF_A_FILE = 400;
    private static final long MOST_PARTS = 8;

    /** Packages that are read as one list of like things, and so may have more classes. */
    private static final Map<String, Long> CLASSES =
            Map.ofEntries(Map.entry("policies.model", 43L), Map.entry("policies.plan.check", 36L));

    private static final Map<String, Long> LINES_OF_PACKAGES = Map.ofEntries(
            Map.entry("operator.cli", 2220L),
            Map.entry("operator.feed", 2343L),
            Map.entry("operator.publish", 2069L),
            Map.entry("operator.reconcile", 2224L),
            Map.entry("policies.engine.breaker", 2925L),
            Map.entry("policies.engine.planning", 2248L),
            Map.entry("policies.engine.state", 3015L),
            Map.entry("policies.index.count", 2067L),
            Map.entry("policies.index.pods", 3314L),
            Map.entry("policies.model", 3579L),
            Map.entry("policies.plan.check", 2469L),
            Map.entry("policies.plan.move", 2446L));

    private static final Map<String, Long> LINES_OF_FILES = Map.ofEntries(
            Map.entry("operator.cli.ClusterInput", 424L),
            Map.entry("operator.decode.meta.MetadataDecoder", 416L),
            Map.entry("operator.lead.Leadership", 417L),
            Map.entry("operator.ledger.StatusLedger", 433L),
            Map.entry("operator.loop.EngineLoop", 441L),
            Map.entry("operator.offline.dump.DumpedObjects", 488L),
            Map.entry("operator.offline.simulate.cluster.SimulatedCluster", 621L),
            Map.entry("operator.publish.EventRecorder", 430L),
            Map.entry("policies.engine.backlog.PolicyBacklogs", 717L),
            Map.entry("policies.engine.breaker.Breakers", 410L),
            Map.entry("policies.engine.breaker.ChangedLabel", 458L),
            Map.entry("policies.engine.breaker.LabelBreaker", 576L),
            Map.entry("policies.engine.ledger.LedgerKeeper", 428L),
            Map.entry("policies.index.pods.IndexUpdater", 410L),
            Map.entry("policies.inject.Injection", 416L),
            Map.entry("policies.plan.feasibility.PlacementCache", 401L),
            Map.entry("policies.plan.input.Candidate", 412L));

    private static final Map<String, Long> PARTS = Map.ofEntries(
            Map.entry("crds.v1alpha1.ClusterPlacementPolicySpec", 18L),
            Map.entry("crds.v1alpha1.PlacementPolicySpec", 15L),
            Map.entry("crds.v1alpha1.PolicyRule", 13L),
            Map.entry("crds.v1alpha1.core.TopologySpreadConstraint", 9L),
            Map.entry("crds.v1alpha1.status.PolicyStatus", 10L),
            Map.entry("crds.v1alpha1.status.PolicyViolation", 9L),
            Map.entry("operator.config.OperatorConfig", 14L),
            Map.entry("operator.loop.EffectHandlers", 13L),
            Map.entry("operator.offline.check.CheckReport", 11L),
            Map.entry("operator.offline.check.CheckReport$Violation", 17L),
            Map.entry("operator.offline.dump.Dump", 10L),
            Map.entry("operator.offline.explain.ExplainedRule", 11L),
            Map.entry("operator.offline.explain.PodExplanation", 13L),
            Map.entry("operator.offline.explain.PolicyRecords$PastEviction", 9L),
            Map.entry("operator.offline.policytest.PolicyTestFolder", 11L),
            Map.entry("operator.offline.report.ClusterReport", 18L),
            Map.entry("operator.offline.report.ClusterReport$Spread", 12L),
            Map.entry("operator.offline.report.ClusterReport$Summary", 11L),
            Map.entry("operator.offline.whatif.WhatIfReport", 22L),
            Map.entry("operator.offline.whatif.WhatIfReport$Audited", 9L),
            Map.entry("operator.offline.whatif.WhatIfReport$Eviction", 10L),
            Map.entry("operator.offline.whatif.WhatIfReport$Held", 9L),
            Map.entry("operator.offline.whatif.WhatIfReport$Summary", 11L),
            Map.entry("operator.reconcile.PolicyControllers", 9L),
            Map.entry("policies.engine.backlog.Backlog", 11L),
            Map.entry("policies.engine.eviction.Revalidation", 9L),
            Map.entry("policies.engine.ledger.LedgerKeeper", 10L),
            Map.entry("policies.engine.planning.PlanExecution", 9L),
            Map.entry("policies.engine.protocol.ledger.RememberedBrakes", 12L),
            Map.entry("policies.engine.protocol.ledger.RememberedMove", 14L),
            Map.entry("policies.engine.report.EngineActivity", 9L),
            Map.entry("policies.engine.report.PolicyReport", 18L),
            Map.entry("policies.engine.report.ViolationReport", 17L),
            Map.entry("policies.engine.state.LastReports$Common", 12L),
            Map.entry("policies.engine.status.PolicyReportFactory", 10L),
            Map.entry("policies.engine.status.ReportPublisher$Numbers", 9L),
            Map.entry("policies.model.Node", 9L),
            Map.entry("policies.model.Pod", 9L),
            Map.entry("policies.model.VictimProtection", 11L),
            Map.entry("policies.plan.input.Candidate", 10L),
            Map.entry("policies.plan.move.EvictionRequest", 9L),
            Map.entry("policies.plan.move.Move", 12L),
            Map.entry("policies.rule.Policy", 10L));

    private static final List<JavaSource> PRODUCT = Stream.of("crds", "operator", "policies")
            .flatMap(module -> JavaSource.below(Path.of(module, "src", "main", "java")).stream())
            .filter(source -> !source.name().equals("package-info"))
            .toList();

    record Nine(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
        Nine {
            a = Math.abs(a);
        }
    }

    record Eight(int a, int b, int c, int d, int e, int f, int g, int h) {}

    static final class Wide {
        Wide(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {}
    }

    /** The compiler adds name and ordinal to the constructor. */
    enum Seven {
        SUM(1, 2, 3, 4, 5, 6, 7);

        final int sum;

        Seven(int a, int b, int c, int d, int e, int f, int g) {
            sum = a + b + c + d + e + f + g;
        }
    }

    @Test
    void aPackageHasFewEnoughClasses() {
        assertThat(above(MOST_CLASSES, classes(PRODUCT))).isEqualTo(CLASSES);
    }

    @Test
    void aPackageHasFewEnoughLines() {
        assertThat(above(MOST_LINES_OF_A_PACKAGE, linesOfPackages(PRODUCT))).isEqualTo(LINES_OF_PACKAGES);
    }

    @Test
    void aFileHasFewEnoughLines() {
        assertThat(above(MOST_LINES_OF_A_FILE, linesOfFiles(PRODUCT))).isEqualTo(LINES_OF_FILES);
    }

    /** A record or a constructor with many parts is several things. */
    @Test
    void aConstructorHasFewEnoughParts() {
        assertThat(above(MOST_PARTS, parts(RoomsTest.PRODUCT.stream().map(JavaClass::reflect))))
                .isEqualTo(PARTS);
    }

    @Test
    void aLargePackageIsFoundByItsClassesAndByItsLines() {
        List<JavaSource> sources = List.of(
                source("wide", "One", 1),
                source("wide", "Two", 1),
                source("wide", "Three", 1),
                source("long", "Four", 9));

        assertThat(above(2, classes(sources))).isEqualTo(Map.of("sample.wide", 3L));
        assertThat(above(8, linesOfPackages(sources))).isEqualTo(Map.of("sample.long", 9L));
        assertThat(above(3, linesOfPackages(sources))).isEqualTo(Map.of("sample.long", 9L));
    }

    @Test
    void aLongFileIsFound() {
        List<JavaSource> sources = List.of(source("a", "Long", 401), source("a", "Short", 400));

        assertThat(above(MOST_LINES_OF_A_FILE, linesOfFiles(sources))).isEqualTo(Map.of("sample.a.Long", 401L));
    }

    @Test
    void aWideRecordAndAWideConstructorAreFound() {
        assertThat(above(MOST_PARTS, parts(Stream.of(Nine.class, Eight.class, Seven.class, Wide.class))))
                .isEqualTo(Map.of("operator.SizesTest$Nine", 9L, "operator.SizesTest$Wide", 10L));
    }

    private static JavaSource source(String room, String name, int lines) {
        return new JavaSource(Path.of("policies/src/main/java/sample", room, name + ".java"), "\n".repeat(lines));
    }

    /** {@return the sizes above a limit, by names without dev.holdfast} */
    private static Map<String, Long> above(long most, Map<String, Long> sizes) {
        Map<String, Long> large = new TreeMap<>();
        sizes.forEach((name, size) -> {
            if (size > most) {
                large.put(name.replaceFirst("^dev\\.holdfast\\.", ""), size);
            }
        });
        return large;
    }

    private static Map<String, Long> classes(Collection<JavaSource> sources) {
        return sizes(sources, JavaSource::packageName, counting());
    }

    private static Map<String, Long> linesOfPackages(Collection<JavaSource> sources) {
        return sizes(sources, JavaSource::packageName, summingLong(JavaSource::lines));
    }

    private static Map<String, Long> linesOfFiles(Collection<JavaSource> sources) {
        return sizes(sources, source -> source.packageName() + "." + source.name(), summingLong(JavaSource::lines));
    }

    private static Map<String, Long> sizes(
            Collection<JavaSource> sources, Function<JavaSource, String> subject, Collector<JavaSource, ?, Long> size) {
        return sources.stream().collect(groupingBy(subject, size));
    }

    /** {@return the number of parameters of the widest constructor of each class} */
    private static Map<String, Long> parts(Stream<Class<?>> classes) {
        Map<String, Long> parts = new TreeMap<>();
        classes.forEach(it -> {
            if (it.isRecord()) {
                // The parameters of a compact constructor are implicit.
                parts.put(it.getName(), (long) it.getRecordComponents().length);
            }
            for (Constructor<?> constructor : it.getDeclaredConstructors()) {
                parts.merge(it.getName(), parts(constructor), Math::max);
            }
        });
        return parts;
    }

    /** {@return how many parameters the source names; the compiler adds others, such as the outer instance} */
    private static long parts(Constructor<?> constructor) {
        return Arrays.stream(constructor.getParameters())
                .filter(it -> !it.isImplicit() && !it.isSynthetic())
                .count();
    }
}

package dev.holdfast.operator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package of the operator may use which, and who may know the time. */
class RoomsTest {
    /** A package uses only what stands before it. */
    private static final List<String> ROOMS = List.of(
            "config",
            "translate",
            "decode",
            "observe",
            "evict",
            "lead",
            "publish",
            "enforce",
            "reconcile",
            "serve",
            "app",
            "cli");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.operator");

    static Stream<String> rooms() {
        return ROOMS.stream();
    }

    private static String room(String name) {
        return "dev.holdfast.operator." + name + "..";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rooms")
    void aRoomUsesOnlyWhatStandsBeforeIt(String name) {
        String[] later = IntStream.range(ROOMS.indexOf(name) + 1, ROOMS.size())
                .mapToObj(i -> room(ROOMS.get(i)))
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(room(name))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(later)
                .allowEmptyShould(later.length == 0)
                .check(CLASSES);
    }

    @Test
    void everyPackageIsARoom() {
        String[] known = Stream.concat(
                        Stream.of("dev.holdfast.operator"), ROOMS.stream().map(RoomsTest::room))
                .toArray(String[]::new);

        noClasses().should().resideOutsideOfPackages(known).check(CLASSES);
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
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.operator")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.operator")
                .check(CLASSES);
    }

    @Test
    void theDecoderKnowsBytesAndFactsOnly() {
        classes()
                .that()
                .resideInAPackage(room("decode"))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(room("decode"), "dev.holdfast.policies.model", "java..", "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void onlyMainKnowsTheTime() {
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
                .check(CLASSES);
    }

    @Test
    void onlyTheCommandsSpeakToTheTerminal() {
        noClasses()
                .that(not(JavaClass.Predicates.resideInAPackage(room("cli"))))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(CLASSES);
    }
}

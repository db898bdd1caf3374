package dev.holdfast.operator.policytest;

import dev.holdfast.operator.dump.DumpException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All tests in folders. */
public final class PolicyTests {
    private final List<Path> folders;
    private final Consumer<String> warnings;

    private PolicyTests(List<Path> folders, Consumer<String> warnings) {
        this.folders = folders;
        this.warnings = warnings;
    }

    /**
     * {@return the tests in folders and in all folders below them}
     *
     * @param warnings gets a sentence for each thing that may be wrong with the files of a test
     * @throws DumpException if one of the folders has no test
     */
    public static PolicyTests in(List<String> arguments, Consumer<String> warnings) throws DumpException {
        TreeSet<Path> folders = new TreeSet<>();
        for (String argument : arguments) {
            List<Path> found = withTest(folder(argument));
            if (found.isEmpty()) {
                throw new DumpException(argument + ": no folder in it has a file " + PolicyTestReader.FILE
                        + "; --record writes one beside a cluster.yaml");
            }
            folders.addAll(found);
        }
        return new PolicyTests(List.copyOf(folders), warnings);
    }

    private static Path folder(String argument) throws DumpException {
        try {
            Path folder = Path.of(argument);
            if (Files.isDirectory(folder)) {
                return folder;
            }
        } catch (InvalidPathException e) {
            throw new DumpException(argument + ": no folder can have this name: " + e.getReason(), e);
        }
        throw new DumpException(argument + ": there is no such folder");
    }

    private static List<Path> withTest(Path folder) throws DumpException {
        try (Stream<Path> paths = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            return paths.filter(path -> path.endsWith(PolicyTestReader.FILE))
                    .map(path -> path.resolveSibling(""))
                    .toList();
        } catch (IOException e) {
            throw new DumpException(folder + ": cannot read the folder: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw new DumpException(folder + ": cannot read the folder: " + e.getMessage(), e);
        }
    }

    /** {@return how many tests there are} */
    public int count() {
        return folders.size();
    }

    /**
     * {@return the results of all tests} One that cannot be read or played is a result too.
     *
     * @param progress gets the results so far after each test
     */
    public TestReport run(Consumer<TestReport> progress) {
        List<TestReport.Result> results = new ArrayList<>();
        for (Path folder : folders) {
            results.add(run(folder));
            progress.accept(TestReport.of(results));
        }
        return TestReport.of(results);
    }

    private TestReport.Result run(Path folder) {
        try {
        List<String> found = new ArrayList<>();
            PolicyTest test = read(folder, found);
            if (test.expectations().isEmpty()) {
                throw new DumpException(folder.resolve(PolicyTestReader.FILE)
                        + ": it expects nothing: give `expect`, or let --record write what happens");
            }
            PolicyTestRun played = new PolicyTestRun(test);
            List<Deviation> deviations = played.deviations();
            if (!test.unknownWords().isEmpty()) {
                throw new DumpException(String.join("; ", test.unknownWords()));
            }
            PolicyTestRun played = new PolicyTestRun(test);
            List<Deviation> deviations = played.deviations();
            warn(folder, played.warnings(), found);
            return TestReport.result(test, deviations, found);
        } catch (DumpException | InvalidPathException | DateTimeException e) {
            return TestReport.unread(folder.toString(), String.valueOf(e.getMessage()), found);
        }
    }

    /**
     * Writes what happens in each test as its expectation.
     *
     * @param arguments the folders as for {@link #in}; one with a cluster and without any test becomes a test
     * @return the folders whose files were written
     */
    public static List<String> record(List<String> arguments, Consumer<String> warnings) throws DumpException {
        List<Path> begun = new ArrayList<>();
        for (String argument : arguments) {
            Path folder = folder(argument);
            if (withTest(folder).isEmpty() && Files.exists(folder.resolve(PolicyTestReader.CLUSTER))) {
                Recording.begin(folder);
                begun.add(folder);
            }
        }
        try {
            return new ArrayList<>(in(arguments, warnings).recordAll());
        } catch (DumpException e) {
            begun.forEach(Recording::undo);
            throw e;
        }
    }

    private List<String> recordAll() throws DumpException {
        Map<Path, List<String>> recorded = new LinkedHashMap<>();
        for (Path folder : folders) {
            PolicyTestRun played = new PolicyTestRun(read(folder, new ArrayList<>()));
            recorded.put(folder, Recording.of(folder, played.recorded()));
            warn(folder, played.warnings(), new ArrayList<>());
        }
        // Nothing is written if one of them cannot be read or played.
        List<String> written = new ArrayList<>();
        for (Map.Entry<Path, List<String>> test : recorded.entrySet()) {
            Recording.write(test.getKey(), test.getValue());
            written.add(test.getKey().toString());
        }
        return written;
    }

    private PolicyTest read(Path folder, List<String> found) throws DumpException {
        PolicyTest test = PolicyTestReader.read(folder);
        warn(folder, test.warnings(), found);
        return test;
    }

    private void warn(Path folder, List<String> sentences, List<String> found) {
        sentences.forEach(warning -> warnings.accept(folder + ": " + warning));
    }
}
        found.addAll(sentences);

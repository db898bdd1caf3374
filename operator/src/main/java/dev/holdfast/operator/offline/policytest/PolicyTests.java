package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.simulate.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
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
            List<Path> found = with(PolicyTestReader.FILE, folder(argument));
            if (found.isEmpty()) {
                throw new DumpException(argument + ": no folder in it has a file " + PolicyTestReader.FILE
                        + "; --record writes one beside a cluster.yaml");
            }
            folders.addAll(found);
            with(PolicyTestReader.CLUSTER, folder(argument)).stream()
                    .filter(folder -> !found.contains(folder))
                    .forEach(folder -> warnings.accept(folder + " has a " + PolicyTestReader.CLUSTER + " and no "
                            + PolicyTestReader.FILE + ", so it is no test: --record writes one"));
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
        throw new DumpException(argument + ": there is no such folder: name a folder with a " + PolicyTestReader.FILE);
    }

    private static List<Path> with(String file, Path folder) throws DumpException {
        try (Stream<Path> paths = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            return paths.filter(path -> path.endsWith(file))
                    .map(path -> path.resolveSibling(""))
                    .toList();
        } catch (IOException e) {
            throw new DumpException(folder + ": cannot read the folder: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw new DumpException(folder + ": cannot read the folder: " + e.getMessage(), e);
        }
    }

    /** {@return the number of tests} */
    public int count() {
        return folders.size();
    }

    /** {@return the same as below, which nothing watches} */
    public TestReport run(Consumer<TestReport> progress) {
        return run(progress, _ -> {});
    }

    /**
     * {@return the results of all tests} A test that cannot be read or played is a result too.
     *
     * @param progress gets the results so far after each test
     * @param watcher sees each test that was played at its end; it must not keep the simulation
     */
    public TestReport run(Consumer<TestReport> progress, Consumer<Played> watcher) {
        List<TestReport.Result> results = new ArrayList<>();
        for (Path folder : folders) {
            results.add(run(folder, watcher));
            progress.accept(TestReport.of(results));
        }
        return TestReport.of(results);
    }

    private TestReport.Result run(Path folder, Consumer<Played> watcher) {
        List<String> found = new ArrayList<>();
        try {
            PolicyTestFolder test = read(folder, found);
            if (test.expectations().isEmpty()) {
                throw new DumpException(folder.resolve(PolicyTestReader.FILE)
                        + ": the test expects nothing: write `expect`, or let --record write what happens");
            }
            if (!test.unknownWords().isEmpty()) {
                throw new DumpException(String.join("; ", test.unknownWords()));
            }
            PolicyTestRun played = new PolicyTestRun(test);
            List<Deviation> deviations = played.deviations();
            warn(folder, played.warnings(), found);
            TestReport.Result result = TestReport.result(test, deviations, found);
            watcher.accept(new Played(result, played.simulation()));
            return result;
        } catch (DumpException | InvalidPathException | DateTimeException e) {
            return TestReport.unread(folder.toString(), String.valueOf(e.getMessage()), found);
        }
    }

    /** A test that was played, and its simulation at the end. */
    public record Played(TestReport.Result result, Simulation simulation) {}

    /**
     * {@return a test whose files are no files of a folder, played to its end}
     *
     * @param name the name of the test, and of its folder if there were one
     * @param file opens the file with a name
     * @throws DumpException if the test cannot be read or played
     */
    public static Played play(String name, Function<String, DumpFile.Content> file) throws DumpException {
        PolicyTestFolder test =
                PolicyTestReader.read(Path.of(name), it -> List.of(new DumpFile(name + "/" + it, file.apply(it))));
        PolicyTestRun run = new PolicyTestRun(test);
        List<Deviation> deviations = run.deviations();
        List<String> warnings =
                Stream.concat(test.warnings().stream(), run.warnings().stream()).toList();
        return new Played(TestReport.result(test, deviations, warnings), run.simulation());
    }

    /**
     * The result of recording one test: whether what happened was written as its expectation.
     *
     * @param problem why nothing was written; empty if the expectation was written
     */
    public record Recorded(String folder, Optional<String> problem) {}

    /**
     * Writes what happens in each test as its expectation. A test that cannot be played keeps its file.
     *
     * @param arguments the folders as for {@link #in}; one with a cluster and without any test becomes a test
     * @return the tests in the order of their names
     * @throws DumpException if one of the folders has no test and no cluster; then nothing is written
     */
    public static List<Recorded> record(List<String> arguments, Consumer<String> warnings) throws DumpException {
        Set<Path> begun = new HashSet<>();
        try {
            for (String argument : arguments) {
                Path folder = folder(argument);
                if (with(PolicyTestReader.FILE, folder).isEmpty()
                        && Files.exists(folder.resolve(PolicyTestReader.CLUSTER))) {
                    Recording.begin(folder);
                    begun.add(folder);
                }
            }
            PolicyTests tests = in(arguments, warnings);
            List<Recorded> recorded = new ArrayList<>();
            for (Path folder : tests.folders) {
                Optional<String> problem = tests.record(folder);
                if (problem.isEmpty()) {
                    begun.remove(folder);
                }
                recorded.add(new Recorded(folder.toString(), problem));
            }
            return recorded;
        } finally {
            begun.forEach(Recording::undo);
        }
    }

    private Optional<String> record(Path folder) {
        try {
            PolicyTestRun played = new PolicyTestRun(read(folder, new ArrayList<>()));
            Recording.write(folder, played.recorded());
            warn(folder, played.warnings(), new ArrayList<>());
            return Optional.empty();
        } catch (DumpException | InvalidPathException | DateTimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private PolicyTestFolder read(Path folder, List<String> found) throws DumpException {
        PolicyTestFolder test = PolicyTestReader.read(folder);
        warn(folder, test.warnings(), found);
        return test;
    }

    private void warn(Path folder, List<String> sentences, List<String> found) {
        sentences.forEach(warning -> warnings.accept(folder + ": " + warning));
        found.addAll(sentences);
    }
}

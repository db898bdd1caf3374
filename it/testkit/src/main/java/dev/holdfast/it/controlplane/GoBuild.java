package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The build of a {@link GoModule}: compiles its tools into {@code bin/} of a folder and copies its YAML files into the
 * folder. The folder must already contain go.mod and go.sum.
 */
final class GoBuild {

    private static final int OLDEST_MINOR = 26;
    private static final Pattern VERSION = Pattern.compile("go1\\.(\\d+).*", Pattern.DOTALL);
    private static final int LINES_SHOWN = 30;

    private final GoModule module;
    private final Path folder;
    private final PrintStream progress;
    private final String program;

    GoBuild(GoModule module, Path folder, PrintStream progress) {
        this(module, folder, progress, "go");
    }

    /**
     * @param program the name of the Go command
     */
    GoBuild(GoModule module, Path folder, PrintStream progress, String program) {
        this.module = module;
        this.folder = folder;
        this.progress = progress;
        this.program = program;
    }

    void run() throws IOException {
        Files.createDirectories(temporary());
        Files.createDirectories(folder.resolve("bin"));
        requireGo();
        int number = 1;
        for (GoTool tool : module.tools()) {
            progress.println("building %s (%s of %s)%s"
                    .formatted(
                            tool.label(),
                            number,
                            module.tools().size(),
                            number == 1 ? ", about " + module.firstTime() + " once" : ""));
            build(tool);
            number++;
        }
        copyFiles(module.files());
        FolderDeletion.delete(temporary());
    }

    /**
     * {@return the folder for Go's temporary files, up to a gigabyte} Go deletes the files at its end, unless it is
     * killed.
     */
    private Path temporary() {
        return folder.resolve("tmp");
    }

    private void requireGo() throws IOException {
        Prerequisite.GO.require();
        // Runs outside the module's folder, because an old Go does not print its version there.
        String found = go(folder.resolveSibling("."), "env", "GOVERSION").strip();
        if (isTooOld(found)) {
            throw new ControlPlaneException("found " + found + " on the PATH; " + Prerequisite.GO.whatToDo());
        }
    }

    /** {@return whether a Go version is a release before 1.26; false for development versions} */
    static boolean isTooOld(String version) {
        Matcher release = VERSION.matcher(version);
        return release.matches() && Integer.parseInt(release.group(1)) < OLDEST_MINOR;
    }

    private void build(GoTool tool) throws IOException {
        String binary = folder.resolve("bin").resolve(tool.label()).toString();
        go(folder, "build", "-trimpath", "-ldflags", module.linkerFlags(), "-o", binary, tool.goPackage());
    }

    private void copyFiles(GoModule.ModuleFiles files) throws IOException {
        Path root = Path.of(
                go(folder, "list", "-m", "-f", "{{.Dir}}", files.module()).strip());
        Path source = root.resolve(files.folder());
        List<Path> all;
        try (Stream<Path> found = Files.walk(source)) {
            all = found.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        for (Path file : all) {
            Path copy = folder.resolve(files.copy()).resolve(source.relativize(file));
            Files.createDirectories(copy.getParent());
            // Copies the bytes, because a copied file would be read-only, like Go's module cache.
            Files.write(copy, Files.readAllBytes(file));
        }
    }

    /** Runs a go command in a folder, waits until it ends, and returns its output. */
    private String go(Path where, String... arguments) throws IOException {
        Path output = folder.resolve("go.out");
        Path log = folder.resolve("go.log");
        ProcessBuilder builder = new ProcessBuilder(program);
        builder.command().addAll(List.of(arguments));
        builder.directory(where.toFile()).redirectOutput(output.toFile()).redirectError(log.toFile());
        // Static binaries need no C compiler. The user's GOFLAGS and workspace would change the build.
        builder.environment().putAll(Map.of("CGO_ENABLED", "0", "GOFLAGS", "-mod=readonly", "GOWORK", "off"));
        builder.environment().put("GOTMPDIR", temporary().toString());
        int exit = waitFor(ChildProcesses.startWithItsOwn(builder));
        if (exit != 0) {
            throw new ControlPlaneException("go %s ended with %s:%n%s"
                    .formatted(String.join(" ", arguments), exit, LogTail.of(log, LINES_SHOWN)));
        }
        return Files.readString(output);
    }

    private int waitFor(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new ControlPlaneException("interrupted while building " + module.title(), e);
        }
    }
}

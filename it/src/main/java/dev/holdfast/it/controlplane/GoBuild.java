package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Builds every {@link Program} into a folder that already holds go.mod and go.sum, and copies kwok's stages to it. */
final class GoBuild {

    private static final int OLDEST_MINOR = 26;
    private static final Pattern VERSION = Pattern.compile("go1\\.(\\d+).*", Pattern.DOTALL);
    private static final Pattern KUBERNETES = Pattern.compile("k8s\\.io/kubernetes v(1\\.(\\d+)\\.\\d+)");
    private static final String FIRST = ", about 5 minutes once";
    private static final int LINES_SHOWN = 30;

    private final Path folder;
    private final PrintStream progress;

    GoBuild(Path folder, PrintStream progress) {
        this.folder = folder;
        this.progress = progress;
    }

    void run() throws IOException {
        requireGo();
        Files.createDirectories(folder.resolve("bin"));
        int number = 1;
        for (Program program : EnumSet.allOf(Program.class)) {
            progress.println("building %s (%s of %s)%s"
                    .formatted(program.label(), number, Program.values().length, number == 1 ? FIRST : ""));
            build(program);
            number++;
        }
        copyStages();
    }

    private void requireGo() throws IOException {
        Prerequisite.GO.require();
        // Not in the module's folder: there an old Go says something else than its version.
        String found = go(folder.resolveSibling("."), "env", "GOVERSION").strip();
        if (isTooOld(found)) {
            throw new ControlPlaneException("found " + found + " on the PATH; " + Prerequisite.GO.whatToDo());
        }
    }

    /** {@return whether it is a release before 1.26} Development versions are taken as they come. */
    static boolean isTooOld(String version) {
        Matcher release = VERSION.matcher(version);
        return release.matches() && Integer.parseInt(release.group(1)) < OLDEST_MINOR;
    }

    private void build(Program program) throws IOException {
        String binary = folder.resolve("bin").resolve(program.label()).toString();
        go(folder, "build", "-trimpath", "-ldflags", linkerFlags(), "-o", binary, program.goPackage());
    }

    /** Without these kube-apiserver tells its clients that it is v0.0.0. */
    private String linkerFlags() throws IOException {
        Matcher pinned = KUBERNETES.matcher(Files.readString(folder.resolve("go.mod")));
        if (!pinned.find()) {
            throw new ControlPlaneException("it/controlplane/go.mod does not require k8s.io/kubernetes");
        }
        String version = "-X k8s.io/component-base/version.git";
        return "-s -w %1$sVersion=v%2$s %1$sMajor=1 %1$sMinor=%3$s"
                .formatted(version, pinned.group(1), pinned.group(2));
    }

    private void copyStages() throws IOException {
        Path kwok = Path.of(
                go(folder, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok").strip());
        Path stages = kwok.resolve("kustomize/stage");
        List<Path> all;
        try (Stream<Path> found = Files.walk(stages)) {
            all = found.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        for (Path stage : all) {
            Path copy = folder.resolve("stages").resolve(stages.relativize(stage));
            Files.createDirectories(copy.getParent());
            // The bytes and not the file: Go's module cache is read-only and a copy would be too.
            Files.write(copy, Files.readAllBytes(stage));
        }
    }

    /** {@return what a go command printed} */
    private String go(Path where, String... arguments) throws IOException {
        Path output = folder.resolve("go.out");
        Path log = folder.resolve("go.log");
        ProcessBuilder builder = new ProcessBuilder("go");
        builder.command().addAll(List.of(arguments));
        builder.directory(where.toFile()).redirectOutput(output.toFile()).redirectError(log.toFile());
        // Static binaries need no C compiler; GOFLAGS and a workspace of the user's own would change the build.
        builder.environment().putAll(Map.of("CGO_ENABLED", "0", "GOFLAGS", "-mod=readonly", "GOWORK", "off"));
        int exit = waitFor(Leash.start(builder));
        if (exit != 0) {
            throw new ControlPlaneException("go %s ended with %s:%n%s"
                    .formatted(String.join(" ", arguments), exit, LogTail.of(log, LINES_SHOWN)));
        }
        return Files.readString(output);
    }

    private static int waitFor(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new ControlPlaneException("interrupted while building the control plane", e);
        }
    }
}

package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder with the built programs of the control plane and the {@code Stage} files that tell kwok how to simulate
 * nodes and pods.
 *
 * @param folder the folder, with {@code bin/} for one file of each {@link Program}, and {@code stages/} for kwok's
 * files
 */
public record Programs(Path folder) {

    private static final String VERSION = "-X k8s.io/component-base/version.git";

    /**
     * The Go module of the programs. Without the version in its linker flags, kube-apiserver would report v0.0.0 to
     * clients.
     */
    static final GoModule MODULE = new GoModule(
            "controlplane",
            "the local control plane",
            "10 minutes",
            List.of(Program.values()),
            "k8s.io/kubernetes",
            VERSION + "Version=%1$s " + VERSION + "Major=%2$s " + VERSION + "Minor=%3$s",
            new GoModule.ModuleFiles("sigs.k8s.io/kwok", "kustomize/stage", "stages"));

    /**
     * The kwok {@code Stage} files to use. {@code pod/fast/pod-complete.yaml} is left out, so that a Job's pod runs
     * until it is deleted.
     */
    private static final List<String> STAGES =
            List.of("node/fast/node-initialize.yaml", "pod/fast/pod-ready.yaml", "pod/fast/pod-delete.yaml");

    /**
     * {@return the programs in this user's cache; builds them if they are missing}
     *
     * @throws ControlPlaneException if Go is missing or too old, or the build fails
     */
    static Programs ofUser() {
        return new Programs(ProgramCache.ofUser(MODULE).folder());
    }

    /** {@return the path of a program's binary} */
    public Path binary(Program program) {
        return folder.resolve("bin").resolve(program.label());
    }

    Stream<Path> stages() {
        return STAGES.stream().map(folder.resolve("stages")::resolve);
    }
}

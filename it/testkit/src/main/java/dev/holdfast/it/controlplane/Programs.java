package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that holds the built programs and the stages by which kwok plays nodes and pods.
 *
 * @param folder {@code bin/} with one file a {@link Program}, {@code stages/} as kwok's module has them
 */
public record Programs(Path folder) {

    private static final String VERSION = "-X k8s.io/component-base/version.git";

    /** Without its version kube-apiserver tells its clients that it is v0.0.0. */
    static final GoModule MODULE = new GoModule(
            "controlplane",
            "the local control plane",
            "5 minutes",
            List.of(Program.values()),
            "k8s.io/kubernetes",
            VERSION + "Version=%1$s " + VERSION + "Major=%2$s " + VERSION + "Minor=%3$s",
            new GoModule.ModuleFiles("sigs.k8s.io/kwok", "kustomize/stage", "stages"));

    /** Without {@code pod/fast/pod-complete.yaml}: a Job's pod runs until somebody deletes it. */
    private static final List<String> STAGES =
            List.of("node/fast/node-initialize.yaml", "pod/fast/pod-ready.yaml", "pod/fast/pod-delete.yaml");

    /**
     * {@return the programs of this user's cache, built now if this is the first time}
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

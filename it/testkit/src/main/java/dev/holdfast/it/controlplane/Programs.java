package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder with the built programs and the stages from which kwok simulates nodes and pods.
 *
 * @param folder {@code bin/} with one file for each {@link Program}, {@code stages/} as in kwok's module
 */
public record Programs(Path folder) {

    private static final String VERSION = "-X k8s.io/component-base/version.git";

    /** Without this version, kube-apiserver reports v0.0.0 to its clients. */
    static final GoModule MODULE = new GoModule(
            "controlplane",
            "the local control plane",
            "5 minutes",
            List.of(Program.values()),
            "k8s.io/kubernetes",
            VERSION + "Version=%1$s " + VERSION + "Major=%2$s " + VERSION + "Minor=%3$s",
            new GoModule.ModuleFiles("sigs.k8s.io/kwok", "kustomize/stage", "stages"));

    /** Without {@code pod/fast/pod-complete.yaml}: a Job's pod runs until it is deleted. */
    private static final List<String> STAGES =
            List.of("node/fast/node-initialize.yaml", "pod/fast/pod-ready.yaml", "pod/fast/pod-delete.yaml");

    /**
     * {@return the programs of this user's cache; the first call builds them}
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
